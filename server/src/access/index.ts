export { hasLiveValues, hasStatus, type ListedText, listedLike, statusOf } from "./device-status.ts";
export { ownersAndAdmins } from "./owners-and-admins.ts";
export { areChannelsInScope, devicesInScope, isDeviceInScope, isLimited, ownDashboard, type Scope } from "./scope.ts";
