export type { KnownChannel, KnownDevice } from "./devices/known-device.ts";
export type { Refusals } from "./devices/refusals.ts";
export type { Registry } from "./devices/registry.ts";
export { chartOf } from "./history/chart.ts";
export { knownReadings } from "./history/known-readings.ts";
export { type Moments, readingsAt } from "./history/moments.ts";
export { pointsOf } from "./history/points.ts";
export {
  beginningBeforeSettings,
  beginningOf,
  type ChannelReading,
  firstReadingOf,
  hasReadings,
  hotAmong,
  lastReadingOf,
  readingsInOrder,
} from "./history/readings-in-order.ts";
export type { Load } from "./ingest/backlog.ts";
export { loadsOf, type Outcome } from "./ingest/submission.ts";
export type { Writer } from "./ingest/writer.ts";
export { createLastLines, type Thinned } from "./lines/last-lines.ts";
export { distributeReadings } from "./packing/distribute.ts";
export { dropMonth, firstHourOf, monthOfHour, type StoredMonth, storedMonths } from "./packing/months.ts";
export { type HoursOfRange, hoursOfRange } from "./packing/packed-summaries.ts";
export { packHours } from "./packing/packing.ts";
export type { OfflineWatch } from "./presence/offline-watch.ts";
export { isSameScale } from "./scaling.ts";
export { createTelemetry, type Telemetry } from "./telemetry.ts";
