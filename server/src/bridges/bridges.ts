import { setTimeout as sleep } from "node:timers/promises";
import { runIn } from "../platform/database/runner.ts";
import { createPeriodicJob, type PeriodicJob } from "../platform/jobs/periodic.ts";
import type { Running } from "../platform/node/node.ts";
import { raiseVersions } from "../readings/index.ts";
import type { World } from "../world.ts";
import { type BridgeNeeds, runBridge } from "./bridge.ts";
import { createBridgeMetrics } from "./metrics.ts";
import { expireEntries } from "./queue/entries.ts";

/** How often bridges are looked up that were added, changed or deleted, milliseconds. */
const look = 1_000;
/** How often entries are removed that have waited too long, milliseconds. */
const hourly = 3_600_000;

/**
 * Has every server queue the readings of the plant's devices as its bridges are now: a commit by an older version of a device fails and starts again
 * (see `raiseVersions`). Call after the commit of the change: a device that is claimed at the same time is then either seen here, or loaded with the bridge.
 */
export const applyBridges = ({ db }: Pick<World, "db">, plantId: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom("devices").select("device_id").where("plant_id", "=", plantId).execute();
    const deviceIds = rows.map((row) => row.device_id);
    if (deviceIds.length > 0) await raiseVersions(runIn(trx), deviceIds);
  });

/** The bridges that this server runs, by id. */
type RunningBridges = Map<number, { version: number; stop: () => Promise<void> }>;

/** Runs all bridges of the database, each as it was saved last. */
const runAll = (needs: BridgeNeeds, running: RunningBridges): Running => {
  const { db, log } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const end = async (bridgeId: number): Promise<void> => {
    const bridge = running.get(bridgeId);
    running.delete(bridgeId);
    await bridge?.stop();
  };
  const adjust = async (): Promise<void> => {
    const enabled = db
      .selectFrom("bridges")
      .select(["bridge_id", "plant_id", "version"])
      .where("is_enabled", "=", true);
    const rows = await enabled.execute();
    const wanted = new Map(rows.map((row) => [row.bridge_id, row.version]));
    const outdated = [...running].filter(([id, { version }]) => wanted.get(id) !== version).map(([id]) => id);
    await Promise.all(outdated.map(end));
    for (const { bridge_id: id, plant_id, version } of rows) {
      if (running.has(id) || signal.aborted) continue;
      // A server that was killed between the save of a bridge and this has left it undone.
      await applyBridges(needs, plant_id);
      running.set(id, { version, stop: runBridge(needs, id) });
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await adjust().catch((fault: unknown) => log.warn({ err: fault }, "Could not look bridges up; trying again"));
      await sleep(look, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all([...running.keys()].map(end));
  };
  const runs = run();
  return {
    stop: async () => {
      stopping.abort();
      await runs;
    },
  };
};

/** Bridges of this server; of a cluster, one node runs them all. */
export interface Bridges {
  start(): void;
  stop(): Promise<void>;
}

/** Creates the bridges, which publish what is queued for them. */
export const createBridges = (needs: BridgeNeeds & Pick<World, "metrics" | "node">): Bridges => {
  const running: RunningBridges = new Map();
  createBridgeMetrics(needs, () => [...running.keys()]);
  let leave: (() => Promise<void>) | undefined;
  return {
    start: () => {
      leave = needs.node.lead("bridges", () => runAll(needs, running));
    },
    stop: async () => leave?.(),
  };
};

/** Creates the job that gives up what has waited for brokers for a week, and counts it. */
export const createBridgeExpiry = (world: Pick<World, "pool" | "log" | "metrics" | "clock" | "node">): PeriodicJob =>
  createPeriodicJob({
    ...{ every: hourly, name: "bridge queue", world },
    work: async () => {
      for (const lost of await expireEntries(world.pool, world.clock.now()))
        world.log.warn(lost, "Readings and alerts waited for a week for a bridge's broker and are no longer published");
    },
    failureMessage: "Could not remove what has waited too long for bridges; trying again in an hour",
  });
