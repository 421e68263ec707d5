import type { PoolClient } from "pg";
import { doubles, integers, smallints } from "../../platform/database/array-parameters.ts";
import { allowLongWork, createSliceWithin, longQuery } from "../../platform/database/long-work.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import {
  askServers,
  type Block,
  commitTogether,
  decodeBlock,
  eachRun,
  groupOf,
  isInParts,
  type Run,
  sortedInSlices,
} from "../../readings/index.ts";
import type { World } from "../../world.ts";
import { createMonths, monthOfHour } from "./months.ts";
import { type PackedHour, unpackRun } from "./packed-hour.ts";
import { type PackedRow, packedRow } from "./packed-row.ts";
import { addToSummaries, countStored, writeSummaries } from "./summaries.ts";

const hourLength = 3_600_000;

/** Readings older than this, milliseconds, may belong to a month whose data package already exists. */
const lateAfter = 86_400_000;
/** Largest offsets of local time behind and ahead of UTC, hours: a reading counts for every month that it falls into in any time zone. */
const mostBehind = 12;
const mostAhead = 14;

/**
 * Whether packing the hours from `from` on (since the epoch) may change a finished month; decided by the oldest hour. `now` in epoch milliseconds.
 */
const isLate = (from: number, now: number): boolean => from * hourLength < now - lateAfter;

const markMonths = `
  INSERT INTO late_months (device_id, month) SELECT $1, m.month FROM generate_series($2::int, $3::int) AS m(month)
  ON CONFLICT (device_id, month) DO UPDATE SET mark = DEFAULT`;

/** Marks the months of these hours so that the device's data packages of them are made anew. */
const markLateMonths = async (client: PoolClient, { deviceId, from, to }: Packable): Promise<void> => {
  const [first, last] = [monthOfHour(from - mostBehind), monthOfHour(to - 1 + mostAhead)];
  await client.query(longQuery(markMonths, [deviceId, first, last]));
};

/** Delay between the end of an hour and its packing, milliseconds, so that readings with ordinary delays still arrive before. */
const sealDelay = 10 * 60_000;

/** Hours of a device that are packed at once: from `from` to `to` since the epoch, `to` excluded. */
export interface Packable {
  deviceId: number;
  from: number;
  to: number;
}

/** First key of the advisory locks of packing; an arbitrary number that must be the same in every version. */
const lockClass = 8_021_977;

/**
 * Serialises packing of a device until the transaction ends. Must be a statement of its own: packing merges with the packed rows of its snapshot,
 * which is taken when the statement begins. A lock inside it would be granted under a snapshot that lacks the rows of the previous packing, and the
 * merged row would replace them.
 */
const lockDevice = async (client: PoolClient, deviceId: number): Promise<void> => {
  await client.query(longQuery("SELECT pg_advisory_xact_lock($1, $2)", [lockClass, deviceId]));
  if (!isInParts()) return;
  await commitTogether(client);
  // The coordinator's lock is released before the server of the group has committed: there it is held until then.
  await client.query(longQuery(lockOnServer, [lockClass, deviceId, groupOf(deviceId)]));
};

const lockOnServer =
  "SELECT pg_advisory_xact_lock($1, $2) FROM device_versions WHERE device_group = $3 AND device_id = $2";

/** $5: a channel with chunks of its own; null takes the chunks that hold several channels. */
const takeChunks = `
  DELETE FROM chunks WHERE device_group = $1 AND device_id = $2 AND hour >= $3 AND hour < $4 AND channel_id IS NOT DISTINCT FROM $5::int4
     AND damage IS NULL
  RETURNING chunk_id, hour, readings`;

interface ChunkRow {
  chunk_id: number;
  hour: number;
  readings: Buffer;
}

/** SQL: what a statement about packed rows of a device's channels needs so that it goes to the device's server; nothing in a whole database. */
const conditionOf = (deviceId: number): string => (isInParts() ? ` AND device_group = ${groupOf(deviceId)}` : "");

/** $3 and $4: first and last of the hours, which spares the other months. */
const packedRows = `
  SELECT channel_id, hour, steps, values, statuses FROM packed_hours
   WHERE (channel_id, hour) IN (SELECT * FROM unnest($1::int4[], $2::int4[])) AND hour BETWEEN $3 AND $4`;

/** First hour of a device whose readings are kept: those of earlier hours go, or have gone. */
const firstKept =
  "SELECT ceil(extract(epoch FROM readings_from) / 3600)::int AS hour FROM devices WHERE device_id = $1";

const writePackedIn = (column: string, value: string): string => `
INSERT INTO packed_hours (${column}channel_id, hour, count, minute_counts, minute_min, minute_max, minute_avg, steps, values, statuses, newest_of, newest)
VALUES (${value}$1, $2, $3, $4, $5, $6, $7, $8::int4[], $9::float8[], $10::int2[], $11, $12)
ON CONFLICT (${column}channel_id, hour) DO UPDATE SET count = excluded.count, minute_count = NULL, minute_counts = excluded.minute_counts, minute_min = excluded.minute_min, minute_max = excluded.minute_max, minute_avg = excluded.minute_avg,
  steps = excluded.steps, values = excluded.values, statuses = excluded.statuses,
  newest_of = excluded.newest_of, newest = excluded.newest`;

const writePacked = { name: "write-packed", text: writePackedIn("", "") };

const write = (client: PoolClient, deviceId: number, row: PackedRow) => {
  const { minutes, statuses, newest } = row;
  return client.query({
    ...(isInParts() ? { text: writePackedIn("device_group, ", `${groupOf(deviceId)}, `) } : writePacked),
    values: [
      ...[row.channelId, row.hour, row.count],
      ...[minutes?.counts ?? null, minutes?.min ?? null, minutes?.max ?? null, minutes?.avg ?? null],
      ...[integers(row.steps), doubles(row.values), statuses && smallints(statuses)],
      ...[newest && row.count, newest],
    ],
  });
};

/** A channel's readings of one hour, in the pieces in which they were stored. */
interface Pieces {
  channelId: number;
  hour: number;
  runs: Run[];
}

const createCollection = () => {
  const found = new Map<string, Pieces>();
  const piecesOf = (channelId: number, hour: number): Pieces => {
    const key = `${channelId} ${hour}`;
    const pieces = found.get(key) ?? { channelId, hour, runs: [] };
    found.set(key, pieces);
    return pieces;
  };
  const add = (channelId: number, hour: number, run: Run): void => void piecesOf(channelId, hour).runs.push(run);
  return {
    all: () => [...found.values()],
    add,
    addBlock: (hour: number, block: Block): void => eachRun(block, (channelId, run) => add(channelId, hour, run)),
  };
};

/** Readings that packing adds to each month. */
const addedTo = (
  written: readonly PackedRow[],
  before: readonly { hour: number; steps: number[] }[],
): ReadonlyMap<number, number> => {
  const added = new Map<number, number>();
  const add = (hour: number, count: number) =>
    added.set(monthOfHour(hour), (added.get(monthOfHour(hour)) ?? 0) + count);
  for (const { hour, count } of written) add(hour, count);
  for (const { hour, steps } of before) add(hour, -steps.length);
  return added;
};

/** Moves chunks of a device into packed rows in one transaction, merged with the existing rows; returns the number of packed rows written. */
const packChunks = (pool: World["pool"], what: Packable, channelId: number | null, now: number): Promise<number> => {
  const { deviceId, from, to } = what;
  const pack = async (client: PoolClient): Promise<number> => {
    await allowLongWork(client);
    await lockDevice(client, deviceId);
    const taken = await client.query<ChunkRow>(
      longQuery(takeChunks, [groupOf(deviceId), deviceId, from, to, channelId]),
    );
    const collection = createCollection();
    const slice = createSliceWithin(client);
    for (const { hour, readings } of taken.rows.toSorted((a, b) => a.chunk_id - b.chunk_id)) {
      collection.addBlock(hour, decodeBlock(readings));
      if (slice.isUsedUp()) await slice.next();
    }
    const all = collection.all();
    if (all.length === 0) return 0;
    const places = [integers(all.map((pieces) => pieces.channelId)), integers(all.map((pieces) => pieces.hour))];
    const packed = await client.query<PackedHour & { channel_id: number }>(
      longQuery(packedRows + conditionOf(deviceId), [...places, from, to - 1]),
    );
    const known = new Set(packed.rows.map((row) => `${row.channel_id} ${row.hour}`));
    for (const row of packed.rows) collection.add(row.channel_id, row.hour, unpackRun(row));
    const { rows: kept } = await client.query<{ hour: number | null }>(firstKept, [deviceId]);
    const first = kept[0]?.hour ?? Number.NEGATIVE_INFINITY;
    const rows: PackedRow[] = [];
    for (const { channelId: id, hour, runs } of collection.all()) {
      rows.push(packedRow(id, hour, await sortedInSlices(runs, slice)));
      if (slice.isUsedUp()) await slice.next();
    }
    const isKept = ({ channelId: id, hour }: PackedRow) => hour >= first || known.has(`${id} ${hour}`);
    const [stored, gone] = [rows.filter(isKept), rows.filter((row) => !isKept(row))];
    await createMonths(
      client,
      stored.map(({ hour }) => hour),
    );
    for (const row of stored) await write(client, deviceId, row);
    await writeSummaries(client, deviceId, stored);
    // Accepted before the hour's readings went.
    await addToSummaries(client, deviceId, gone);
    await countStored(client, deviceId, addedTo(stored, packed.rows));
    if (isLate(from, now)) await markLateMonths(client, what);
    return all.length;
  };
  // A higher default isolation level would take the snapshot before the lock.
  return inTransaction(pool, pack, "BEGIN ISOLATION LEVEL READ COMMITTED");
};

const channelsOfTheirOwn = `
  SELECT DISTINCT channel_id FROM chunks WHERE device_group = $1 AND device_id = $2 AND hour >= $3 AND hour < $4 AND channel_id IS NOT NULL`;

/**
 * Packs the merged readings of a device's hours. Returns the number of packed rows written. At `now` (epoch milliseconds), months with late readings
 * are marked for new data packages.
 */
export const packHours = async (pool: World["pool"], what: Packable, now = 0): Promise<number> => {
  const { deviceId, from, to } = what;
  const { rows } = await pool.query<{ channel_id: number }>(channelsOfTheirOwn, [
    groupOf(deviceId),
    deviceId,
    from,
    to,
  ]);
  let count = await packChunks(pool, what, null, now);
  // Large channels one at a time, which bounds memory.
  for (const { channel_id } of rows) count += await packChunks(pool, what, channel_id, now);
  return count;
};

const devicesWithHours = (condition: string): string => `
  SELECT device_id, array_agg(DISTINCT hour ORDER BY hour) AS hours FROM chunks WHERE hour < $1 AND damage IS NULL AND ${condition} GROUP BY device_id
   ORDER BY min(hour), device_id`;

/** First hour (since the epoch) that is not yet to be packed. `now` in epoch milliseconds. */
export const firstOpenHour = (now: number): number => Math.floor((now - sealDelay) / hourLength);

/** Devices with merged readings before an hour, and their hours in order; oldest first, in a database in parts those of each server. */
export const devicesToPack = async (
  pool: World["pool"],
  before: number,
): Promise<{ devices: { deviceId: number; hours: number[] }[]; faults: unknown[] }> => {
  const { rows, faults } = await askServers(
    async (condition) =>
      (await pool.query<{ device_id: number; hours: number[] }>(devicesWithHours(condition), [before])).rows,
  );
  return { devices: rows.map(({ device_id, hours }) => ({ deviceId: device_id, hours })), faults };
};

const hoursOf = (condition: string): string => `
  SELECT (SELECT count(DISTINCT (device_id, hour)) FROM chunks WHERE device_id = ANY($1) AND hour < $2 AND damage IS NULL AND ${condition})::int AS merged,
         (SELECT coalesce(max(last_ts / ${hourLength} - first_ts / ${hourLength} + 1), 0) FROM batches
           WHERE device_ids && $1 AND first_ts < $2::bigint * ${hourLength} AND damage IS NULL AND ${condition})::int AS waiting`;

/** Hours of these devices before an hour that are not packed; of readings that are not merged yet, as many as they may be in. */
export const hoursToPack = async (
  pool: World["pool"],
  deviceIds: readonly number[],
  before: number,
): Promise<number> => {
  const { rows, faults } = await askServers(
    async (condition) =>
      (await pool.query<{ merged: number; waiting: number }>(hoursOf(condition), [deviceIds, before])).rows,
  );
  if (faults.length > 0) throw faults[0];
  return rows.reduce((sum, { merged, waiting }) => sum + merged + waiting, 0);
};
