import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { type RunningServer, startServer } from "../../e2e/server-process.ts";
import { type CitusTrial, citusPrograms, startCitus } from "../cluster/citus.ts";
import { inDatabaseAt } from "../database.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { createOwner, type Fleet, startFleet } from "../fleet.ts";
import { verdict } from "../verdict.ts";

/** Acknowledgements of each device before a worker ends, meanwhile, and afterwards. */
const each = 200;
/** How often the coordinator ends. */
const coordinatorEnds = 5;
/** How long the worker is away at least, milliseconds. */
const away = 10_000;
/** Neighbouring devices of one group, as in server/src/readings/groups.ts. */
const inGroup = 16;

/** The worker of the group of a device, by its port. */
const workerOf = (url: string, deviceId: number): Promise<number> =>
  inDatabaseAt(url, async (database) => {
    const { rows } = await database.query<{ port: number }>(
      `SELECT nodeport AS port FROM pg_dist_shard_placement
        WHERE shardid = get_shard_id_for_distribution_column('batches', (($1::int >> 4) % 64)::int2)`,
      [deviceId],
    );
    return rows[0]?.port ?? 0;
  });

const lastDevice = (url: string): Promise<number> =>
  inDatabaseAt(url, async (database) => {
    const { rows } = await database.query<{ last: number | null }>("SELECT max(device_id) AS last FROM devices");
    return rows[0]?.last ?? 0;
  });

/** Adds devices until the next ones belong to another worker. */
const fillUp = async (server: RunningServer, url: string, taken: number): Promise<void> => {
  const last = await lastDevice(url);
  let first = Math.ceil((last + 1) / inGroup) * inGroup;
  while ((await workerOf(url, first)) === taken) first += inGroup;
  const missing = first - 1 - last;
  if (missing > 0) await server.telltale("devices", "add", "--model", "AIS", "--count", String(missing));
};

interface Fleets {
  /** Of the worker that is lost, and of the other one. */
  lost: Fleet;
  other: Fleet;
  worker: number;
}

const startFleets = async (server: RunningServer, client: Client, { url }: CitusTrial): Promise<Fleets> => {
  const lost = await startFleet(server, client);
  const worker = await workerOf(url, await lastDevice(url));
  await fillUp(server, url, worker);
  return { lost, other: await startFleet(server, client), worker };
};

const loseWorker = async (
  server: RunningServer,
  citus: CitusTrial,
  { lost, other, worker }: Fleets,
  scale: number,
): Promise<Finding[]> => {
  for (const fleet of [lost, other]) await fleet.eachHas(scaled(each, scale));
  await citus.kill(worker);
  const began = performance.now();
  await sleep(1_000);
  const [before, beforeOthers] = [lost.acknowledged(), other.acknowledged()];
  await other.eachHas(scaled(each, scale));
  const took = (performance.now() - began) / 1000;
  const ready = await fetch(`${server.baseURL}/readyz`);
  await sleep(Math.max(0, away - (performance.now() - began)));
  const [held, others] = [lost.acknowledged() - before, other.acknowledged() - beforeOthers];
  await citus.start(worker);
  const restarted = performance.now();
  await lost.eachHas(1);
  const gap = (performance.now() - restarted) / 1000;
  for (const fleet of [lost, other]) await fleet.eachHas(scaled(each, scale));
  return [
    {
      promise: "Devices of the other worker go on meanwhile",
      counted: `${count(others, "messages acknowledged")}, ${scaled(each, scale)} of each device within ${took.toFixed(1)} s; ${count(held, "of the lost worker's")}; /readyz ${ready.status}`,
      isKept: took < away / 1000 && held === 0 && ready.ok,
    },
    {
      promise: "The lost worker's devices go on when it is back",
      counted: `all ${gap.toFixed(1)} s after its start`,
      isKept: gap < 30,
    },
  ];
};

/** Batches that raise alerts are on the coordinator and on a worker: neither part may be kept without the other. */
const loseCoordinator = async (citus: CitusTrial, { lost, other }: Fleets, scale: number): Promise<Finding> => {
  const gaps: number[] = [];
  for (let turn = 0; turn < scaled(coordinatorEnds, scale); turn++) {
    await citus.kill(citus.coordinator);
    const began = performance.now();
    await citus.start(citus.coordinator);
    for (const fleet of [lost, other]) await fleet.eachHas(scaled(each, scale));
    gaps.push((performance.now() - began) / 1000);
  }
  return {
    promise: "All devices go on when the coordinator is back",
    counted: `${scaled(each, scale)} messages more of each device ${gaps.map((gap) => gap.toFixed(1)).join(", ")} s after it had ended`,
    isKept: Math.max(...gaps) < 60,
  };
};

const run = async (scale: number): Promise<Finding[]> => {
  const programs = await citusPrograms();
  if (!programs)
    return [
      {
        promise: "A database in parts loses nothing that was acknowledged",
        counted: "Citus is not installed; CITUS_PG_BIN names the folder of a PostgreSQL's programs that have it",
      },
    ];
  const citus = await startCitus(programs);
  try {
    const server = await startServer({ demo: false, env: { DATABASE_URL: citus.url } });
    try {
      await server.terminate();
      await server.telltale("database", "distribute");
      await server.restart();
      const client = await createOwner(server);
      const fleets = await startFleets(server, client, citus);
      const findings = [
        ...(await loseWorker(server, citus, fleets, scale)),
        await loseCoordinator(citus, fleets, scale),
      ];
      for (const fleet of [fleets.lost, fleets.other]) await fleet.finish();
      const all = { ...fleets.other, members: [...fleets.lost.members, ...fleets.other.members] };
      return [...findings, ...(await verdict(server, all, citus.url))];
    } finally {
      await server.stop();
    }
  } finally {
    await citus.stop();
  }
};

export const citus: Scenario = {
  title: "Servers of a database in parts are lost",
  does: "A database whose readings are spread over two workers of Citus, and ten devices: five on each. While all send, one worker is ended like by kill -9, and started again ten seconds later; then the coordinator is ended and started five times.",
  run,
};
