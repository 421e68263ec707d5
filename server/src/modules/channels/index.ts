export { channelsInScope, channelsOfDevice, channelValues, listed, unitSince } from "./queries.ts";
export { channelRoutes, modbusRoutes } from "./routes.ts";
export { reportWithinOf } from "./rules.ts";
export { channelSettingRoutes } from "./setting-routes.ts";
export { sourceName } from "./settings/output-sources.ts";
export { beginPeriod, raiseSettingsVersion } from "./settings/save-queries.ts";
