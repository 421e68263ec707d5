export { reloadGated } from "./configuration/channels.ts";
export { ruleToTry } from "./configuration/configure.ts";
export { confirmByLink } from "./confirm.ts";
export { changedAlerts } from "./entries/changed.ts";
export { type LinkedEntry, linkedEntry } from "./entries/info.ts";
export type { Author } from "./entries/notes.ts";
export { addDefaultPlan } from "./escalation/progress.ts";
export { createEscalation } from "./escalation/steps-job.ts";
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
export { alertsStanding, offlineTimes } from "./log/stood.ts";
export {
  type DueDevice,
  dueDevices,
  forgetLapsed,
  keepPhases,
  type Phase,
  recallPhases,
  waitForData,
} from "./phases.ts";
export { lockNewest, reevaluate } from "./reevaluate.ts";

export { createAlertReportsJob } from "./report/monthly-job.ts";
export { alertReportRoutes } from "./report/report.ts";
export {
  alarmRoutes,
  alertEntryRoutes,
  alertRoutes,
  planRoutes,
  rosterRoutes,
  silenceRoutes,
  silentNowRoutes,
} from "./routes.ts";
export { isOfReadings, ruleKey } from "./rules/rule-key.ts";
export { createSilenceEnds } from "./silences/ends-job.ts";
export { followMasters, silenceSubDevices } from "./silences/masters.ts";
