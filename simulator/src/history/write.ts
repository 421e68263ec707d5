import { setImmediate } from "node:timers/promises";
import type { Pace } from "../device/channels.ts";
import type { Connection } from "../device/connection.ts";
import { isInstalled } from "../device/device.ts";
import type { SignalName } from "../plant/signals.ts";
import { createProgress } from "../progress.ts";
import type { Emit, Simulation } from "../simulation.ts";

/** Quantities that change over hours rather than minutes. */
const slow: ReadonlySet<SignalName> = new Set([
  "bearingTemperature",
  "roomTemperature",
  "roomHumidity",
  "ambientTemperature",
  "ambientHumidity",
  "illuminance",
  "gas",
  "runTime",
  "starts",
] satisfies SignalName[]);

/** Motor quantities, read from their controllers every two minutes. */
const electrical: ReadonlySet<SignalName> = new Set([
  "currentA",
  "currentB",
  "currentC",
  "frequency",
  "realPower",
  "reactivePower",
  "powerFactor",
  "voltage",
] satisfies SignalName[]);

/** Report intervals of history in seconds: one minute, five for slow quantities, an hour for constants. */
export const historyPace: Pace = (signal) => {
  if (signal === undefined) return 3600;
  if (slow.has(signal)) return 300;
  return electrical.has(signal) ? 120 : 60;
};

/** Simulation step in seconds: coarser than live, so that months take seconds, and at least three per report. */
const steps = { finest: 5, coarsest: 120 } as const;
/** Simulated time between two checks of the connections, milliseconds. */
const stretch = 3 * 3_600_000;
/** Samples per message. */
const worthwhile = 200;
/** Maximum readings queued or in flight on all connections together. */
const bound = 60_000;
/** Enough for a connection to fill its messages. */
const leastBound = 10_000;

export interface HistoryResult {
  readings: number;
  seconds: number;
}

export interface HistoryNeeds {
  simulation: Simulation;
  connections: readonly Connection[];
  /** The connection of each device, its own or its master's. */
  connectionOf: (deviceSnId: string) => Connection;
  /** End of the history, epoch milliseconds; evaluated repeatedly because time goes on. */
  until: () => number;
  /** Aborts the work. */
  signal: AbortSignal;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The step that the currently installed devices need. */
const stepOf = ({ devices, now }: Simulation): number => {
  const there = devices.filter(({ spec }) => isInstalled(spec, now()));
  const shortest = Math.min(...there.map((device) => device.shortestInterval())) / 1000;
  return Math.max(steps.finest, Math.min(steps.coarsest, shortest / 3));
};

/** The time until which no device changes, limited by how long the connections may wait. */
const nextLook = ({ devices, now }: Simulation): number =>
  Math.min(now() + stretch, ...devices.map((device) => device.nextChange(now())));

/**
 * Simulates the plant from its current time to now and sends what its devices would have reported, as fast as the server acknowledges it. Settles
 * when everything is acknowledged.
 */
export const writeHistory = async (needs: HistoryNeeds): Promise<HistoryResult> => {
  const { simulation, connections, connectionOf, until, signal } = needs;
  const start = performance.now();
  const from = simulation.now();
  const before = sum(connections.map(({ outbox }) => outbox.counts.acknowledged));
  const acknowledged = () => sum(connections.map(({ outbox }) => outbox.counts.acknowledged)) - before;
  const progress = createProgress("History", until() - from);
  const emit: Emit = ({ spec }, moment, readings) => {
    if (!(spec.isNew ?? spec.deviceName === ""))
      connectionOf(spec.deviceSnId).outbox.add(spec.deviceSnId, moment, readings);
  };
  const share = Math.max(leastBound, bound / connections.length);
  const stopped = aborted(signal);
  while (simulation.now() < until() && !signal.aborted) {
    simulation.advance(Math.min(until(), nextLook(simulation)), emit, stepOf(simulation));
    for (const { outbox } of connections) outbox.flush(worthwhile);
    progress.update(simulation.now() - from, acknowledged());
    // Acknowledgements arrive between two turns of the event loop.
    await setImmediate();
    await Promise.race([Promise.all(connections.map(({ outbox }) => outbox.below(share))), stopped]);
  }
  for (const { outbox } of connections) outbox.flush(1);
  await Promise.race([Promise.all(connections.map(({ outbox }) => outbox.below(1))), stopped]);
  progress.update(until() - from, acknowledged());
  progress.stop();
  return { readings: acknowledged(), seconds: (performance.now() - start) / 1000 };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
