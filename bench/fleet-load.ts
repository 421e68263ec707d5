import { setTimeout as sleep } from "node:timers/promises";
import { createLoad } from "../simulator/src/load/create-load.ts";
import type { LoadDevice, Past } from "../simulator/src/load/publisher.ts";
import type { LoadStats } from "../simulator/src/load/run.ts";

export const readingsPerMessage = 10;

/** A fleet of devices with ten channels each; each message has one reading of every channel. */
export interface Fleet {
  name: string;
  devices: number;
  /** Unacknowledged messages per connection. */
  inFlight: number;
  /** Messages per second of all devices together; absent: as fast as they are acknowledged. */
  rate?: number;
  /** Absent: its readings are of the current time. */
  past?: Past;
  goal: string;
  walGoal: string;
  /** How long it sends before it is measured, milliseconds; absent: three seconds. */
  warmUp?: number;
}

const usualWarmUp = 3_000;

export const few: Fleet = {
  name: "500 channels",
  devices: 50,
  inFlight: 100,
  goal: ">= 350,000/s, >= 0.8 of bare",
  walGoal: "<= 30 B",
};
export const many: Fleet = {
  name: "20,000 channels",
  devices: 2_000,
  inFlight: 5,
  goal: ">= 300,000/s",
  walGoal: "<= 70 B",
};

/** As many readings a second as a fleet of that kind should have, and no more: what consoles get while that goes on. */
export const fewPaced: Fleet = { ...few, name: "500 channels at 350,000 readings/s", rate: 35_000 };
export const manyPaced: Fleet = { ...many, name: "20,000 channels at 300,000 readings/s", rate: 30_000 };

/** Every device sends once a minute. */
export const slow: Fleet = {
  name: "100,000 channels, a message a minute",
  devices: 10_000,
  inFlight: 5,
  rate: 10_000 / 60,
  goal: "",
  walGoal: "",
};

export interface Measured extends LoadStats {
  perSecond: number;
  readings: number;
}

/** Runs a load, and measures it after its warm-up, in which code is compiled and caches fill. */
export const measure = async (
  port: number,
  devices: LoadDevice[],
  { inFlight, rate, past, warmUp = usualWarmUp }: Pick<Fleet, "inFlight" | "rate" | "past" | "warmUp">,
  seconds: number,
  around: { begin?: () => Promise<void>; end?: () => Promise<void> } = {},
): Promise<Measured> => {
  const load = createLoad({
    ...{ host: "127.0.0.1", port, devices, readingsPerMessage, inFlight },
    ...(rate === undefined ? {} : { rate }),
    ...(past === undefined ? {} : { past }),
  });
  await load.start();
  await sleep(warmUp);
  await around.begin?.();
  const before = await load.stats();
  await sleep(seconds * 1_000);
  const after = await load.stats();
  await around.end?.();
  await load.stop();
  const readings = after.acknowledgedReadings - before.acknowledgedReadings;
  return { ...after, readings, perSecond: readings / (after.seconds - before.seconds) };
};
