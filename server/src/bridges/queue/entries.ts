import { bridgeDays } from "@telltale/contract/domains/readings/bridges";
import type { AlertFacts } from "../../notify/index.ts";
import type { Runner } from "../../platform/database/runner.ts";

/** What a bridge has still to publish: readings of one commit, coded, or the change of an alert. */
export interface Entry {
  entryId: number;
  /** Server time, epoch milliseconds. */
  queuedTs: number;
  /** Readings and alerts. */
  count: number;
  readings: Buffer | null;
  alert: AlertFacts | null;
}

/** Most entries and readings that are taken at once; an entry is never divided. */
const portion = { entries: 200, readings: 5_000 };

const oldest = {
  name: "oldest-queued",
  text: `
  SELECT entry_id AS "entryId", queued_ts AS "queuedTs", count, readings, alert
    FROM (SELECT *, sum(count) OVER (ORDER BY entry_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier
            FROM (SELECT * FROM bridge_queue WHERE bridge_id = $1 ORDER BY entry_id LIMIT ${portion.entries}) AS first) AS counted
   WHERE coalesce(earlier, 0) < ${portion.readings}
   ORDER BY entry_id`,
};

/** The oldest entries of a bridge, as many as are published at once. They stay in the queue until `settleEntries`. */
export const oldestEntries = async (run: Runner, bridgeId: number): Promise<Entry[]> =>
  (await run.query<Entry>({ ...oldest, values: [bridgeId] })).rows;

/** Whether there may be more entries than those that were taken. */
export const mayBeMore = (taken: readonly Entry[]): boolean =>
  taken.length === portion.entries || taken.reduce((sum, { count }) => sum + count, 0) >= portion.readings;

const settle = {
  name: "settle-queued",
  text: `
  WITH gone AS (
    DELETE FROM bridge_queue q USING unnest($2::int8[], $3::int4[]) AS s(entry_id, count)
     WHERE q.bridge_id = $1 AND q.entry_id = s.entry_id AND q.count = s.count)
  UPDATE bridges SET published_count = published_count + $4::int8, refused_count = refused_count + $5::int8, lost_count = lost_count + $6::int8,
         published_time = CASE WHEN $4::int8 > 0 THEN to_timestamp($7::float8 / 1000) ELSE published_time END,
         lost_time = CASE WHEN $6::int8 > 0 THEN to_timestamp($7::float8 / 1000) ELSE lost_time END
   WHERE bridge_id = $1`,
};

/** What has become of readings and alerts that a bridge took. */
export interface Outcome {
  /** Acknowledged by the broker. */
  published: number;
  /** Refused by the broker for good. */
  refused: number;
  /** Never published, because they were too old or could not be read. */
  lost: number;
}

/** Removes entries from the queue, unless another node has joined others to them meanwhile, and counts their outcome. `now`: epoch milliseconds. */
export const settleEntries = async (
  run: Runner,
  bridgeId: number,
  entries: readonly Entry[],
  { published, refused, lost }: Outcome,
  now: number,
): Promise<void> => {
  const [ids, counts] = [entries.map(({ entryId }) => entryId), entries.map(({ count }) => count)];
  await run.query({ ...settle, values: [bridgeId, ids, counts, published, refused, lost, now] });
};

/** What of the queue a bridge has not published. */
export interface Lag {
  bridgeId: number;
  /** Readings and alerts. */
  count: number;
  /** When the oldest was queued, epoch milliseconds; null when all is published. */
  oldest: number | null;
}

const lagOf = {
  name: "bridge-lag",
  text: `
  SELECT bridge_id AS "bridgeId", coalesce(sum(q.count), 0)::float8 AS count, min(q.queued_ts)::float8 AS oldest
    FROM unnest($1::int4[]) AS b(bridge_id) LEFT JOIN bridge_queue q USING (bridge_id) GROUP BY bridge_id`,
};

/** How far these bridges are behind. */
export const lagsOf = async (run: Runner, bridgeIds: readonly number[]): Promise<Lag[]> =>
  bridgeIds.length === 0 ? [] : (await run.query<Lag>({ ...lagOf, values: [[...bridgeIds]] })).rows;

/** How long entries wait for a broker, milliseconds. */
const keptFor = bridgeDays * 86_400_000;

const expire = {
  name: "expire-queued",
  text: `
  WITH gone AS (DELETE FROM bridge_queue WHERE queued_ts < $1::int8 RETURNING bridge_id, count),
       counted AS (SELECT bridge_id, sum(count) AS count FROM gone GROUP BY bridge_id)
  UPDATE bridges b SET lost_count = b.lost_count + counted.count, lost_time = to_timestamp($2::float8 / 1000)
    FROM counted WHERE b.bridge_id = counted.bridge_id
  RETURNING b.bridge_id AS "bridgeId", counted.count::float8 AS count`,
};
const ofDeleted = {
  name: "forget-deleted-bridges",
  text: "DELETE FROM bridge_queue q WHERE NOT EXISTS (SELECT FROM bridges b WHERE b.bridge_id = q.bridge_id)",
};

/** Removes what has waited too long, and what waits for bridges that were deleted. Returns how many readings and alerts each bridge has lost so. */
export const expireEntries = async (run: Runner, now: number): Promise<{ bridgeId: number; count: number }[]> => {
  await run.query({ ...ofDeleted, values: [] });
  return (await run.query<{ bridgeId: number; count: number }>({ ...expire, values: [now - keptFor, now] })).rows;
};
