export { ruleToTry } from "./configuration/rule-to-try.ts";
export { alertEntryRoutes } from "./entries/routes.ts";
export {
  announce,
  clear,
  clearOfChannels,
  clearOfDevice,
  deleteOfDevice,
  keepPeaks,
  type RaisedAlert,
  raise,
} from "./lifecycle.ts";
export { dueDevices, keepPhases, type Phase } from "./phases.ts";
export { lockNewest, reevaluate } from "./reevaluate.ts";
export { alarmRoutes, alertRoutes } from "./routes.ts";
export { isOfReadings, ruleKey } from "./rules/rule-key.ts";
export { createSilenceEnds } from "./silences/ends-job.ts";
export { silenceRoutes } from "./silences/routes.ts";
