import { setTimeout as pause } from "node:timers/promises";
import { createLightDevice, type FleetCounts, type LightDevice } from "./light-device.ts";

/** Devices that report in turn, each as often as the others. */
export interface Fleet {
  counts: FleetCounts;
  devices: readonly LightDevice[];
  /** Connects all, so many at a time. */
  connect(): Promise<void>;
  /** Has every device report once in each interval, evenly spread. */
  report(): void;
  /** No further reports. */
  rest(): void;
  /** Devices without an acknowledgement since this moment (`performance.now()`). */
  unheardSince(moment: number): number;
  end(): void;
}

interface Needs {
  port: number;
  tokens: readonly string[];
  /** Milliseconds between two reports of a device. */
  interval: number;
}

/** Devices that connect at once; more would wait in the operating system's queue and be counted as slow there. */
const atOnce = 250;
const turn = 100;
/** Nobody connects again in the very moment of the loss, and not all together, milliseconds. */
const again = { least: 500, most: 5_000 };

/** A fleet that is not connected yet. */
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

/** Waits until `isSo`, looking again and again; gives the milliseconds that it took, or undefined when it is not so after `patience`. */
export const until = async (isSo: () => boolean, patience: number): Promise<number | undefined> => {
  const began = performance.now();
  while (!isSo()) {
    if (performance.now() - began > patience) return undefined;
    await pause(50);
  }
  return performance.now() - began;
};
