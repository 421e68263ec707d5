import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { LoadDevice } from "../../simulator/src/load/publisher.ts";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { type BenchServer, withServer } from "../bench-server.ts";
import { type CommitDurations, commitDurations, commitQuantile } from "../commit-durations.ts";
import { askMeanwhile, type Waits } from "../console-at-load.ts";
import { type Consumption, consumptionOf } from "../consumption.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";
import { type Fleet, few, fewPaced, many, manyPaced, measure, readingsPerMessage, slow } from "../fleet-load.ts";
import { makeDashboards } from "../full-dashboard.ts";

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

/** Size of the database, and once more without the space that deleted rows have left; bytes. */
const sizesOf = async (pool: Pool): Promise<{ size: number; needed: number }> => {
  const size = async () =>
    (await pool.query<{ size: number }>("SELECT pg_database_size(current_database())::float8 AS size")).rows[0]?.size ??
    0;
  const before = await size();
  await pool.query("VACUUM (FULL) batches, chunks, packed_hours, latest");
  return { size: before, needed: await size() };
};

/** Dashboards that are asked for in turn: the server keeps an answer for some seconds. */
const boards = 12;

const own = (fleet: Fleet, seconds: number, boardCount = 0) =>
  withDatabaseUrl((url) =>
    withServer(
      fleet.devices,
      (server) =>
        withPool(url, async (pool) => {
          const { token } = await server.signIn();
          const boardIds = await makeDashboards(server, token, boardCount);
          await sleep(toRest);
          const idle = await server.residentMemory();
          const used: Consumption[] = [];
          const commits: CommitDurations[] = [];
          const look = async () => {
            used.push(await consumptionOf(pool, server.pid()));
            commits.push(await commitDurations(server.baseURL));
          };
          const [stats, loaded, waits] = await Promise.all([
            measure(server.mqttPort, server.devices, fleet, seconds, { begin: look, end: look }),
            watchMemory(server, 10, (seconds * 1000) / 10),
            askMeanwhile({ baseURL: server.baseURL, token, seconds, boards: boardIds }),
          ]);
          const memory: Memory = { idle, loaded };
          return { stats, used, commits, waits, memory, sizes: await sizesOf(pool), fleetDevices: server.devices };
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

/** Durations of the commits in which the load's readings were stored while earlier ones were merged. */
const committed = (fleet: Fleet, [before, after]: readonly CommitDurations[]): Figure => {
  const none = new Map<number, number>();
  const within = (part: number) => fixed(commitQuantile(before ?? none, after ?? none, part) * 1000, 0, "ms");
  return {
    name: `${fleet.name}: commit while merging, p50 / p99, within`,
    goal: "p99 <= 50 ms",
    measured: `${within(0.5)} / ${within(0.99)}`,
    baseline: "",
    ratio: "",
  };
};

const answers = (fleet: Fleet, waits: Waits, goal = ""): Figure[] =>
  Object.entries(waits).map(([name, measured]) => ({
    name: `${fleet.name}: ${name}, at that load`,
    goal,
    measured: fixed(measured, 0, "ms"),
    baseline: "",
    ratio: "",
  }));

/** Figures of a fleet that sends as fast as it is acknowledged, beside the bare loop. */
const ofFleet = async (fleet: Fleet, seconds: number): Promise<{ figures: Figure[]; memory: Memory }> => {
  const { stats, used, commits, waits, memory, sizes, fleetDevices } = await own(fleet, seconds);
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
    committed(fleet, commits),
    ...answers(fleet, waits),
    {
      name: `${fleet.name}: size of the database after ${seconds} s`,
      goal: "<= 1.3 of what it needs",
      measured: fixed(sizes.size / 1e6, 0, "MB"),
      baseline: `after VACUUM FULL: ${fixed(sizes.needed / 1e6, 0, "MB")}`,
      ratio: ratio(sizes.size, sizes.needed),
    },
  ];
  return { figures, memory };
};

/** What consoles get while a fleet sends at its rate. */
const ofPaced = async (fleet: Fleet, seconds: number): Promise<Figure[]> => {
  const { stats, commits, waits, used } = await own(fleet, seconds, boards);
  return [
    ...consumed(fleet, used, stats.readings),
    {
      name: `${fleet.name}: publish → PUBACK, p50 / p99`,
      goal: "",
      measured: `${fixed(stats.p50, 0, "ms")} / ${fixed(stats.p99, 0, "ms")}, ${count(stats.perSecond, "readings/s")}`,
      baseline: "",
      ratio: "",
    },
    committed(fleet, commits),
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
