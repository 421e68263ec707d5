import type { PlannedChannel } from "./plan.ts";

/** Device IDs, as they are printed on the units. */
export const ids = {
  pumpHouse: "7C9EBD4A3F12",
  boosterSkid: "7C9EBD4A41A7",
  sump: "7C9EBD4A77E0",
  yard: "7C9EBD4A8E31",
  driveEnd: "7C9EBD4A41C0",
  pumpDrive: "7C9EBD4A6D71",
  standbyDrive: "7C9EBD4A6D72",
  controlRoom: "7C9EBD4A6D02",
  compressor: "7C9EBD4A90C4",
  coldStore: "7C9EBD4A5B3E",
  tankFarm: "7C9EBD4A9A40",
  testBench: "7C9EBD4AB001",
} as const;

const reportInterval = 5;

/** Seconds between reports in earlier months: of quantities that change within minutes, and within hours. */
const quick = 60;
export const slow = 300;

/** A planned channel that measures a signal of the simulated station. */
export const measured = (
  name: string,
  signal: string,
  settings: PlannedChannel["settings"] = {},
  usualInterval: number = quick,
): PlannedChannel => ({ name, signal, usualInterval, settings: { reportInterval, ...settings } });

/** A transmitter of 0 to 16 bar. */
export const sixteenBar = { span: 16, higherAlarm: 8, higherHysteresis: 0.2 };
