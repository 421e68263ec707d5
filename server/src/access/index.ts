export { addressesOf, ownersAndAdmins, userNameIn } from "./addresses.ts";
export { hasLiveValues, hasStatus, type ListedText, listedLike, statusesOf, statusOf } from "./device-status.ts";
export { areChannelsInScope, devicesInScope, isDeviceInScope, isLimited, ownDashboard, type Scope } from "./scope.ts";
