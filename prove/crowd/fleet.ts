import { setTimeout as pause } from "node:timers/promises";
import { createLightDevice, type FleetCounts, type LightDevice } from "./light-device.ts";

/** Devices that report in turn, all at the same interval. */
export interface Fleet {
  counts: FleetCounts;
  devices: readonly LightDevice[];
  /** Connects all devices, a limited number at a time. */
  connect(): Promise<void>;
  /** Makes every device report once per interval, evenly spread. */
  report(): void;
  /** Stops reporting. */
  rest(): void;
  /** Number of devices without an acknowledgement since this time (`performance.now()`). */
  unheardSince(moment: number): number;
  end(): void;
}

interface Needs {
  port: number;
  tokens: readonly string[];
  /** Milliseconds between two reports of a device. */
  interval: number;
}

/** Devices that connect concurrently; more would queue in the operating system and be measured as slow there. */
const atOnce = 250;
const turn = 100;
/** Reconnect delay with jitter, milliseconds: neither at once nor all together. */
const again = { least: 500, most: 5_000 };

/** Creates a fleet that is not connected yet. */
export const createFleet = ({ port, tokens, interval }: Needs): Fleet => {
  const counts: FleetCounts = { connected: 0, lost: 0, refused: 0, sent: 0, acknowledged: 0 };
  const wait = () => again.least + Math.random() * (again.most - again.least);
  const devices = tokens.map((token) => createLightDevice({ port, token, counts, wait }));
  let timer: NodeJS.Timeout | undefined;
  return {
    counts,
    devices,
    connect: async () => {
      for (let from = 0; from < devices.length; from += atOnce)
        await Promise.all(devices.slice(from, from + atOnce).map((device) => device.start()));
    },
    report: () => {
      const began = performance.now();
      let done = 0;
      timer = setInterval(() => {
        const due = Math.floor(((performance.now() - began) / interval) * devices.length);
        for (; done < due; done += 1) devices[done % devices.length]?.report();
      }, turn);
    },
    rest: () => clearInterval(timer),
    unheardSince: (moment) => devices.filter(({ acknowledgedAt }) => acknowledgedAt < moment).length,
    end: () => {
      clearInterval(timer);
      for (const device of devices) device.end();
    },
  };
};

/** Polls until `isSo`; returns the elapsed milliseconds, or undefined after `patience`. */
export const until = async (isSo: () => boolean, patience: number): Promise<number | undefined> => {
  const began = performance.now();
  while (!isSo()) {
    if (performance.now() - began > patience) return undefined;
    await pause(50);
  }
  return performance.now() - began;
};
