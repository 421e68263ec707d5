export type { KnownChannel, KnownDevice } from "./devices/known-device.ts";
export type { Refusals } from "./devices/refusals.ts";
export type { Registry } from "./devices/registry.ts";
export { chartOf } from "./history/chart.ts";
export { distributeReadings } from "./history/distribute.ts";
export { lastLines, type Thinned } from "./history/last-lines.ts";
export { type Moments, readingsAt } from "./history/moments.ts";
export { dropMonth, firstHourOf, monthOfHour, type StoredMonth, storedMonths } from "./history/months.ts";
export { type HoursOfRange, hoursOfRange } from "./history/packed-summaries.ts";
export { packHours } from "./history/packing.ts";
export { pointsOf } from "./history/points.ts";
export {
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
export type { OfflineWatch } from "./presence/offline-watch.ts";
export { isSameScale } from "./scaling.ts";
export { createTelemetry, type Telemetry } from "./telemetry.ts";
