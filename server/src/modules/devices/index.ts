export { claimMainDevice, freeUnit, masterById, saveClaim, writeClaim } from "./claim/claim-queries.ts";
export { lockedDevice, record } from "./configure/change-queries.ts";
export { existsAs, partNumberOf } from "./models/models.ts";
export { type ChannelChange, newAccessToken, type ProvisionedDevice, provisionDevice } from "./models/provision.ts";
export { createDeletedDevicesJob } from "./remove/purge-job.ts";
export { deviceConfigurationRoutes, deviceRoutes } from "./routes.ts";
