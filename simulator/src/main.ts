import { createClock } from "./clock.ts";
import type { Pace } from "./device/channels.ts";
import { type Connection, createConnection } from "./device/connection.ts";
import { isInstalled } from "./device/device.ts";
import { type FleetDevice, readFleet } from "./fleet.ts";
import { historyPace, writeHistory } from "./history/write.ts";
import { createLive } from "./live.ts";
import { type Options, readOptions } from "./options.ts";
import { demonstrationEpisodes, Fault, usualEpisodes } from "./plant/episodes.ts";
import { figure } from "./progress.ts";
import { createSimulation, type Simulation } from "./simulation.ts";

const second = 1000;
const minute = 60_000;
const day = 86_400_000;

interface Silence {
  deviceSnId: string;
  /** Epoch milliseconds. */
  from: number;
  to: number;
}

/** Sent to the parent process once the history is written and acknowledged. */
interface PastWritten {
  past: { until: number; silences: readonly Silence[] };
}

const report = (text: string): void => console.log(text);

/** What a device buffers while disconnected: an hour or more. */
const bounds = { inFlight: 4, memory: 200_000 };

/** One connection per device without a master. */
const connectAll = (simulation: Simulation, url: string): Connection[] =>
  simulation.devices
    .filter(({ spec }) => !spec.parentDeviceSnId)
    .map((own) => {
      const subDevices = simulation.devices.filter(({ spec }) => spec.parentDeviceSnId === own.spec.deviceSnId);
      return createConnection({ url, own, subDevices, station: simulation.station, bounds, report });
    });

/** The current second, rounded down, epoch milliseconds. */
const lastSecond = (): number => Math.floor(Date.now() / second) * second;

/** Simulation step in seconds of plant time: coarser at a higher speed. */
const stepAt = (speed: number): number => Math.min(10, Math.max(1, Math.floor(speed / 6)));

const startOf = ({ history, from, speed }: Options, fleet: readonly FleetDevice[], now: number): number => {
  const begin = from ?? (speed > 1 && !history ? now - day : now);
  if (!history) return Math.floor(Math.min(begin, now) / second) * second;
  // History starts with the first device. Whole minutes, so that its reports are on the minute.
  const installed = Math.min(...fleet.map(({ since = Number.NEGATIVE_INFINITY }) => since));
  return Math.floor(Math.max(now - history, installed) / minute) * minute;
};

/** A fleet with installation dates also has its report intervals. */
const pastPace = (fleet: readonly FleetDevice[]): Pace =>
  fleet.some(({ since }) => since !== undefined) ? () => undefined : historyPace;

/** Past periods in which a device was silent. */
const watchSilences = (simulation: Simulation): Silence[] => {
  const silences: Silence[] = [];
  const begun = new Map<string, number>();
  simulation.onFault((fault, isBeginning, device) => {
    if (fault !== Fault.lostLink || !device) return;
    const { deviceSnId } = device.spec;
    const [from, now] = [begun.get(deviceSnId), simulation.now()];
    if (isBeginning) begun.set(deviceSnId, now);
    else if (from !== undefined && isInstalled(device.spec, from)) silences.push({ deviceSnId, from, to: now });
  });
  return silences;
};

const tellFaults = (simulation: Simulation): void =>
  simulation.onFault((fault, isBeginning, device) => {
    const where = device ? ` at ${device.spec.deviceName || device.spec.deviceSnId}` : "";
    report(`${new Date(simulation.now()).toISOString()} ${fault}${where} ${isBeginning ? "begins" : "is over"}`);
  });

/** Writes the history; returns the connections for live operation. */
const writePast = async (
  options: Options,
  simulation: Simulation,
  connections: Connection[],
  connectionOf: (deviceSnId: string) => Connection,
  signal: AbortSignal,
): Promise<Connection[]> => {
  const channels = simulation.devices.reduce((sum, { spec }) => sum + spec.channels.length, 0);
  if (!options.calm) simulation.plan(usualEpisodes(options.seed, simulation.now(), Date.now()));
  const silences = watchSilences(simulation);
  const { readings, seconds } = await writeHistory({
    simulation,
    connections,
    connectionOf,
    until: lastSecond,
    signal,
  });
  const rate = figure(readings / seconds);
  const isOver = ({ own }: Connection): boolean => !isInstalled(own.spec, simulation.now());
  await Promise.all(connections.filter(isOver).map((connection) => connection.stop()));
  // A parent process may want to resume from here.
  if (!signal.aborted) process.send?.({ past: { until: simulation.now(), silences } } satisfies PastWritten);
  report(
    `History: ${figure(readings)} readings of ${channels} channels acknowledged in ${seconds.toFixed(1)} s (${rate}/s)`,
  );
  return connections.filter((connection) => !isOver(connection));
};

const run = async (options: Options): Promise<void> => {
  const fleet = await readFleet(options.fleet);
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const livePace = () => options.interval;
  const now = Date.now();
  const from = startOf(options, fleet, now);
  const pace = options.history ? pastPace(fleet) : livePace;
  const simulation = createSimulation(fleet, { seed: options.seed, from, pace });
  for (const device of simulation.devices) device.firmwareFault = options.firmwareFault;
  let connections = connectAll(simulation, options.url);
  const connectionOf = router(connections);
  simulation.onFault((fault, isBeginning, device) => {
    if (device && fault === Fault.lostLink) connectionOf(device.spec.deviceSnId).reportLink(device, !isBeginning);
  });
  report(`${fleet.length} devices, ${connections.length} connections to ${options.url}, seed ${options.seed}`);
  if (options.history) connections = await writePast(options, simulation, connections, connectionOf, stop.signal);
  if (options.live && !stop.signal.aborted) {
    simulation.setPace(livePace);
    tellFaults(simulation);
    if (!options.calm) simulation.plan(demonstrationEpisodes(options.seed, simulation.now()));
    const clock = createClock(options.speed, simulation.now());
    const live = createLive({ simulation, clock, connections, connectionOf, step: stepAt(options.speed) });
    live.start();
    await new Promise((resolve) => stop.signal.addEventListener("abort", resolve, { once: true }));
    live.stop();
  }
  await Promise.all(connections.map((connection) => connection.stop()));
};

/** The connection of each device: its own, or its master's. */
const router = (connections: readonly Connection[]): ((deviceSnId: string) => Connection) => {
  const byDevice = new Map<string, Connection>();
  for (const connection of connections) {
    for (const device of [connection.own, ...connection.subDevices]) byDevice.set(device.spec.deviceSnId, connection);
  }
  return (deviceSnId) => {
    const connection = byDevice.get(deviceSnId);
    if (!connection) throw new Error(`The device ${deviceSnId} has no connection`);
    return connection;
  };
};

// The parent process has closed the pipe: exit, because otherwise no one could stop the fleet.
process.stdout.on("error", () => process.exit(1));

try {
  await run(readOptions(process.argv.slice(2)));
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
}
