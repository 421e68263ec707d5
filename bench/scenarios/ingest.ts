import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import { createLoad } from "../../simulator/src/load/create-load.ts";
import type { LoadDevice } from "../../simulator/src/load/publisher.ts";
import type { LoadStats } from "../../simulator/src/load/run.ts";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { type BenchServer, withServer } from "../bench-server.ts";
import { type Consumption, consumptionOf } from "../consumption.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";

const readingsPerMessage = 10;

/** A fleet of devices with ten channels each; each message has one reading of every channel. */
interface Fleet {
  name: string;
  devices: number;
  /** Unacknowledged messages per connection. */
  inFlight: number;
  /** Messages per second of all devices together; absent: as fast as they are acknowledged. */
  rate?: number;
  goal: string;
  walGoal: string;
}

const few: Fleet = {
  name: "500 channels",
  devices: 50,
  inFlight: 100,
  goal: ">= 350,000/s, >= 0.8 of bare",
  walGoal: "<= 30 B",
};
const many: Fleet = {
  name: "20,000 channels",
  devices: 2_000,
  inFlight: 5,
  goal: ">= 300,000/s",
  walGoal: "<= 70 B",
};

/** As many readings a second as a fleet of that kind should have, and no more: what consoles get while that goes on. */
const fewPaced: Fleet = { ...few, name: "500 channels at 350,000 readings/s", rate: 35_000 };
const manyPaced: Fleet = { ...many, name: "20,000 channels at 300,000 readings/s", rate: 30_000 };

/** Every device sends once a minute. */
const slow: Fleet = {
  name: "100,000 channels, a message a minute",
  devices: 10_000,
  inFlight: 5,
  rate: 10_000 / 60,
  goal: "",
  walGoal: "",
};

interface Measured extends LoadStats {
  perSecond: number;
  readings: number;
}

/** Runs a load as fast as it is acknowledged; excludes the first seconds, in which JIT and caches warm up. */
const measure = async (
  port: number,
  devices: LoadDevice[],
  { inFlight, rate }: Fleet,
  seconds: number,
  around: { begin?: () => Promise<void>; end?: () => Promise<void> } = {},
): Promise<Measured> => {
  const load = createLoad({
    ...{ host: "127.0.0.1", port, devices, readingsPerMessage, inFlight },
    ...(rate === undefined ? {} : { rate }),
  });
  await load.start();
  await sleep(3_000);
  await around.begin?.();
  const before = await load.stats();
  await sleep(seconds * 1_000);
  const after = await load.stats();
  await around.end?.();
  await load.stop();
  const readings = after.acknowledgedReadings - before.acknowledgedReadings;
  return { ...after, readings, perSecond: readings / (after.seconds - before.seconds) };
};

const bare = (fleetDevices: LoadDevice[], fleet: Fleet, seconds: number) =>
  withDatabaseUrl(async (url) => {
    const child = fork(new URL("./bare-broker.ts", import.meta.url), { env: { ...process.env, DATABASE_URL: url } });
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    try {
      return await measure(port, fleetDevices, fleet, seconds);
    } finally {
      child.disconnect();
    }
  });

interface Memory {
  idle: number;
  /** Memory in megabytes, sampled at equal intervals under load. */
  loaded: number[];
}

const watchMemory = async (server: BenchServer, samples: number, every: number): Promise<number[]> => {
  const seen: number[] = [];
  for (let at = 0; at < samples; at++) {
    await sleep(every);
    seen.push(await server.residentMemory());
  }
  return seen;
};

/** Time for the server to release the memory of its start and of creating the devices, milliseconds. */
const toRest = 45_000;

/** What consoles ask for under load, every second; the median of each, milliseconds. */
const askMeanwhile = async (server: BenchServer, seconds: number): Promise<{ chart: number; values: number }> => {
  const { token } = await server.signIn();
  const client = createClient({ baseUrl: server.baseURL, token: () => token });
  const deviceId = (await client(devices.list, { size: 1 })).data[0]?.deviceId ?? 0;
  const [group] = await client(channels.grouped, { deviceId });
  const channelId = group?.channels[0]?.deviceChannelId ?? 0;
  const times: Record<"chart" | "values", number[]> = { chart: [], values: [] };
  const timed = async (kind: keyof typeof times, work: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await work();
    times[kind].push(performance.now() - start);
  };
  // The load has to have begun: without readings there is no period to ask for.
  await sleep(6_000);
  const logId = (await client(history.periods, { channelId })).data[0]?.logGroupId ?? 0;
  const end = performance.now() + (seconds - 6) * 1000;
  while (performance.now() < end) {
    await timed("chart", () => client(history.chart, { logId, latest: 60_000 }));
    await timed("values", () => client(channels.grouped, { deviceId }));
    await sleep(1_000);
  }
  const middle = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
  return { chart: middle(times.chart), values: middle(times.values) };
};

const own = (fleet: Fleet, seconds: number) =>
  withDatabaseUrl((url) =>
    withServer(
      fleet.devices,
      (server) =>
        withPool(url, async (pool) => {
          await sleep(toRest);
          const idle = await server.residentMemory();
          const used: Consumption[] = [];
          const look = async () => void used.push(await consumptionOf(pool, server.pid()));
          const [stats, loaded, waits] = await Promise.all([
            measure(server.mqttPort, server.devices, fleet, seconds, { begin: look, end: look }),
            watchMemory(server, 10, (seconds * 1000) / 10),
            askMeanwhile(server, seconds),
          ]);
          return { stats, used, waits, memory: { idle, loaded } satisfies Memory, fleetDevices: server.devices };
        }),
      { DATABASE_URL: url },
    ),
  );

/** Memory at the end of the second and of the last third, so that warm-up does not look like a leak. */
const growth = (loaded: readonly number[]): { middle: number; end: number } => {
  const largest = (part: readonly number[]) => Math.max(...part);
  const third = Math.ceil(loaded.length / 3);
  return { middle: largest(loaded.slice(third, 2 * third)), end: largest(loaded.slice(2 * third)) };
};

const consumed = (fleet: Fleet, [before, after]: readonly Consumption[], readings: number): Figure[] => {
  const each = (of: keyof Consumption) => ((after?.[of] ?? 0) - (before?.[of] ?? 0)) / readings;
  const figure = (name: string, goal: string, measured: string) => ({ name, goal, measured, baseline: "", ratio: "" });
  return [
    figure(`${fleet.name}: write-ahead log a reading, until merged`, fleet.walGoal, fixed(each("wal"), 1, "B")),
    figure(
      `${fleet.name}: processor time of PostgreSQL a reading`,
      "<= 1.5 µs",
      fixed(each("postgres") * 1e6, 2, "µs"),
    ),
    figure(`${fleet.name}: processor time of the server a reading`, "<= 2.2 µs", fixed(each("server") * 1e6, 2, "µs")),
  ];
};

const answers = (fleet: Fleet, { chart, values }: { chart: number; values: number }, goal = ""): Figure[] =>
  [["chart of the last minute", chart] as const, ["newest values of a device", values] as const].map(
    ([name, measured]) => ({
      name: `${fleet.name}: ${name}, at that load`,
      goal,
      measured: fixed(measured, 0, "ms"),
      baseline: "",
      ratio: "",
    }),
  );

/** Figures of a fleet that sends as fast as it is acknowledged, beside the bare loop. */
const ofFleet = async (fleet: Fleet, seconds: number): Promise<{ figures: Figure[]; memory: Memory }> => {
  const { stats, used, waits, memory, fleetDevices } = await own(fleet, seconds);
  const compared = await bare(fleetDevices, fleet, Math.min(seconds, 20));
  const figures = [
    {
      name: `MQTT QoS 1, ${readingsPerMessage} readings a message, ${fleet.devices} connections, ${fleet.name}`,
      goal: fleet.goal,
      measured: count(stats.perSecond, "readings/s"),
      baseline: `bare aedes + unnest: ${count(compared.perSecond, "readings/s")}`,
      ratio: ratio(stats.perSecond, compared.perSecond),
    },
    {
      name: "publish → PUBACK at that load, p50 / p99",
      goal: "",
      measured: `${fixed(stats.p50, 0, "ms")} / ${fixed(stats.p99, 0, "ms")}`,
      baseline: `bare: ${fixed(compared.p50, 0, "ms")} / ${fixed(compared.p99, 0, "ms")}`,
      ratio: ratio(stats.p99, compared.p99),
    },
    ...consumed(fleet, used, stats.readings),
    ...answers(fleet, waits),
  ];
  return { figures, memory };
};

/** What consoles get while a fleet sends at its rate. */
const ofPaced = async (fleet: Fleet, seconds: number): Promise<Figure[]> => {
  const { stats, waits } = await own(fleet, seconds);
  return [
    {
      name: `${fleet.name}: publish → PUBACK, p50 / p99`,
      goal: "",
      measured: `${fixed(stats.p50, 0, "ms")} / ${fixed(stats.p99, 0, "ms")}, ${count(stats.perSecond, "readings/s")}`,
      baseline: "",
      ratio: "",
    },
    ...answers(fleet, waits, "<= 50 ms"),
  ];
};

/**
 * Readings per second over MQTT QoS 1, acknowledged after the commit, with alarms, latest values and live socket; what a reading costs; and the memory
 * used. Few channels with many readings, and many with few.
 */
export const ingest = async (seconds: number): Promise<Figure[]> => {
  const { figures, memory } = await ofFleet(few, seconds);
  const { middle, end } = growth(memory.loaded);
  return [
    ...figures,
    {
      name: "server's resident memory, idle",
      goal: "<= 150 MB",
      measured: fixed(memory.idle, 0, "MB"),
      baseline: "",
      ratio: "",
    },
    {
      name: `server's resident memory after ${seconds} s of full load`,
      goal: "not growing",
      measured: fixed(end, 0, "MB"),
      baseline: `highest of the middle third: ${fixed(middle, 0, "MB")}`,
      ratio: ratio(end, middle),
    },
    ...(await ofFleet(many, Math.min(seconds, 120))).figures,
  ];
};

/** How long consoles are measured at each rate, seconds. */
const pacedSeconds = 40;

/** What consoles get while fleets send at the rates that a server is planned for. */
export const answersAtLoad = async (): Promise<Figure[]> => [
  ...(await ofPaced(fewPaced, pacedSeconds)),
  ...(await ofPaced(manyPaced, pacedSeconds)),
];

/** Longer than readings stay unmerged, seconds. */
const severalMerges = 660;

/** What a reading costs when every device sends a message a minute. */
export const slowFleet = async (): Promise<Figure[]> => {
  const { stats, used, memory } = await own(slow, severalMerges);
  return [
    {
      name: `${slow.name}: publish → PUBACK, p50 / p99`,
      goal: "",
      measured: `${fixed(stats.p50, 0, "ms")} / ${fixed(stats.p99, 0, "ms")}`,
      baseline: "",
      ratio: "",
    },
    ...consumed(slow, used, stats.readings),
    {
      name: `${slow.name}: server's resident memory`,
      goal: "",
      measured: fixed(Math.max(...memory.loaded), 0, "MB"),
      baseline: "",
      ratio: "",
    },
  ];
};
