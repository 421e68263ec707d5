import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Clock } from "../../platform/clock.ts";
import { soleJob } from "../../platform/jobs/with-job-metrics.ts";
import type { ServerNode } from "../../platform/node/node.ts";
import { createReadmission, damagedRows } from "../damage.ts";
import { type Answers, askServers, wholeDatabase } from "../parts.ts";
import { mergeReadable } from "./merge.ts";

/** Interval of the job, milliseconds. */
const every = 500;
/**
 * Pause after a look for due groups as a multiple of its duration: with tens of thousands of rows of devices that send little it takes a while, and
 * each node looks.
 */
const share = 20;
const longestPause = 10_000;
/** How old a group's readings become before they are merged, milliseconds: shortest, and longest for devices that send little. */
const shortest = 2_000;
const longest = 300_000;
/** Readings per device from which merging is worth a row. */
const worthwhile = 50;
/** Unmerged readings in all from which no group waits. */
const mostUnmerged = 2_000_000;

const waitingGroups = (condition: string): string => `
  SELECT device_group, min(received_ts) AS since, sum(count)::float8 AS readings, min(first_ts) AS first_ts,
         (SELECT count(DISTINCT d) FROM batches i, unnest(i.device_ids) AS d WHERE i.device_group = b.device_group AND $1::bigint - min(b.received_ts) >= $2)::int AS devices
    FROM batches b WHERE damage IS NULL AND ${condition} GROUP BY device_group ORDER BY since`;

interface Waiting {
  device_group: number;
  since: number;
  readings: number;
  first_ts: number;
  devices: number;
}

export interface MergerStats {
  /** Readings that were not merged yet when the job last looked. */
  unmerged: number;
}

export interface Merger {
  start(): void;
  stop(): Promise<void>;
  /** Merges everything, for a start. */
  all(): Promise<void>;
  /** Merges groups with readings from before a time (epoch milliseconds). */
  before(ts: number): Promise<void>;
  stats: Readonly<MergerStats>;
}

interface Needs {
  pool: Pool;
  clock: Clock;
  log: Logger;
  metrics: Registry;
  node: ServerNode;
}

const isDue = ({ since, readings, devices }: Waiting, now: number): boolean =>
  now - since >= longest || (now - since >= shortest && readings >= worthwhile * devices);

/** Creates the job that merges batches into chunks and newest readings. */
export const createMerger = ({ pool, clock, log, metrics, node }: Needs): Merger => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopping = false;
  const stats = { unmerged: 0 };
  const readmit = createReadmission({ pool, clock, log });
  damagedRows(metrics);
  let pause = every;
  const waiting = async (): Promise<Answers<Waiting>> => {
    const began = performance.now();
    const values = [clock.now(), shortest];
    const answers = await askServers(async (condition) => {
      // Prepared where there is one such statement: it is asked twice a second.
      const name = condition === wholeDatabase ? { name: "waiting-groups" } : {};
      return (await pool.query<Waiting>({ ...name, text: waitingGroups(condition), values })).rows;
    });
    pause = Math.min(Math.max(every, (performance.now() - began) * share), longestPause);
    return answers;
  };
  const mergeSome = async (chosen: (groups: Waiting[]) => Waiting[]): Promise<void> => {
    const failed: unknown[] = [];
    const note = (fault: unknown) => failed.push(fault);
    await readmit().catch(note);
    const { rows, faults } = await waiting();
    failed.push(...faults);
    for (const { device_group } of chosen(rows)) {
      if (stopping) return;
      await mergeReadable({ pool, log, metrics }, device_group).catch(note);
    }
    if (failed.length > 0) throw failed[0];
  };
  const due = (groups: Waiting[]): Waiting[] => {
    const now = clock.now();
    stats.unmerged = groups.reduce((sum, { readings }) => sum + readings, 0);
    return groups.filter((group) => stats.unmerged >= mostUnmerged || isDue(group, now));
  };
  const mergeDue = soleJob({ metrics, clock, node }, "merging", () => mergeSome(due), undefined);
  const run = (): Promise<void> => {
    running ??= mergeDue().finally(() => {
      running = undefined;
    });
    return running;
  };
  const lookAgain = async (): Promise<void> => {
    await run().catch((fault: unknown) => log.error({ err: fault }, "Could not merge readings; retrying soon"));
    if (!stopping) timer = setTimeout(lookAgain, pause).unref();
  };
  return {
    stats,
    all: () => mergeSome((groups) => groups),
    before: (ts) => mergeSome((groups) => groups.filter(({ first_ts }) => first_ts < ts)),
    start: () => {
      timer = setTimeout(lookAgain, every).unref();
    },
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await running?.catch(() => undefined);
    },
  };
};
