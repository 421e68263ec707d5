import type { Pool } from "pg";
import { bigints, byteas, doubles, integers, smallints } from "../../platform/database/array-parameters.ts";
import { allowLongStatements, createSliceWithin, longQuery } from "../../platform/database/long-work.ts";
import type { Runner } from "../../platform/database/runner.ts";
import { inSavepoint, inTransaction } from "../../platform/database/transaction.ts";
import type { TimeSlice } from "../../platform/time-slice.ts";
import { type Block, decodeBlock, encodeBlock } from "../block.ts";
import { isDamage, type Marking, markDamaged, unreadableBatches } from "../damage.ts";
import { groupOf } from "../groups.ts";
import { extentOf, joinedParts, type Part } from "../order.ts";
import { commitTogether } from "../parts.ts";
import { createGathering, type MergedChannel } from "./gathering.ts";

const hourLength = 3_600_000;

/** Most readings merged by one statement, which bounds memory, and most chunks written by it: a backlog of many hours has few readings in each. */
const portion = { readings: 500_000, chunks: 2_000 };
/** A channel with more readings than this gets a chunk of its own, so that it is read and packed without its device's others. */
const largeChannel = 500;

/** First key of the advisory locks of device groups; an arbitrary number that must be the same in every version. */
const lockClass = 8_021_978;

/** Serialises merging of a group until the transaction ends. A statement of its own, before the snapshot of the next. */
const lockGroup = (run: Runner, group: number) =>
  run.query(longQuery("SELECT pg_advisory_xact_lock($1, $2)", [lockClass, group]));

/**
 * Oldest batches first, up to a number of readings ($2), and of chunks ($3) as far as batches contain several hours, without some ($4). `waiting`: the
 * group's batches, those taken included.
 */
const takeBatches = `
  WITH counted AS (
    SELECT batch_id, sum(count) OVER earlier AS readings, sum(chunks) OVER earlier AS chunks
      FROM (SELECT batch_id, count, least(count, cardinality(device_ids) * ((last_ts - first_ts) / ${hourLength})) AS chunks
              FROM batches WHERE device_group = $1 AND damage IS NULL AND batch_id <> ALL($4::bigint[])) AS found
    WINDOW earlier AS (ORDER BY batch_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
  DELETE FROM batches b USING counted c
   WHERE b.device_group = $1 AND b.batch_id = c.batch_id AND coalesce(c.readings, 0) < $2 AND coalesce(c.chunks, 0) < $3
  RETURNING b.batch_id, b.received_ts, b.readings, (SELECT count(*) FROM counted)::int AS waiting`;

interface BatchRow {
  batch_id: number;
  received_ts: number;
  readings: Buffer;
  waiting: number;
}

/** Part of a channel's readings that falls into one hour. */
interface HourPart extends Part {
  channelId: number;
}

interface Chunk {
  deviceId: number;
  hour: number;
  parts: HourPart[];
  isOfOneChannel: boolean;
}

/** Splits a channel's readings, which are in time order, at full hours. */
const partsOf = ({ channelId, of, start: first, end: last }: MergedChannel): { hour: number; part: HourPart }[] => {
  const { times } = of;
  const parts: { hour: number; part: HourPart }[] = [];
  for (let start = first; start < last; ) {
    const hour = Math.floor((times[start] ?? 0) / hourLength);
    const next = (hour + 1) * hourLength;
    let end = start + 1;
    while (end < last && (times[end] ?? 0) < next) end += 1;
    parts.push({ hour, part: { channelId, of, start, end } });
    start = end;
  }
  return parts;
};

const chunksOf = (channels: readonly MergedChannel[]): Chunk[] => {
  const shared = new Map<string, Chunk>();
  const own: Chunk[] = [];
  for (const channel of channels)
    for (const { hour, part } of partsOf(channel)) {
      const { deviceId } = channel;
      const key = `${deviceId} ${hour}`;
      const chunk = shared.get(key);
      if (part.end - part.start > largeChannel) own.push({ deviceId, hour, parts: [part], isOfOneChannel: true });
      else if (chunk) chunk.parts.push(part);
      else shared.set(key, { deviceId, hour, parts: [part], isOfOneChannel: false });
    }
  return [...shared.values(), ...own];
};

const blockOf = ({ deviceId, parts }: Chunk): Block => ({
  deviceIds: parts.map(() => deviceId),
  channelIds: parts.map(({ channelId }) => channelId),
  counts: parts.map(({ start, end }) => end - start),
  ...joinedParts(parts),
  shown: new Uint8Array(parts.length),
});

const insertChunks = {
  name: "insert-chunks",
  text: `INSERT INTO chunks (device_group, device_id, hour, channel_id, first_ts, last_ts, count, min, max, readings)
         SELECT c.device_group, c.device_id, c.hour, nullif(c.channel_id, 0), c.first_ts, c.last_ts, c.count,
                CASE WHEN c.channel_id <> 0 THEN c.min END, CASE WHEN c.channel_id <> 0 THEN c.max END, c.readings
           FROM unnest($1::int2[], $2::int4[], $3::int4[], $4::int4[], $5::int8[], $6::int8[], $7::int4[], $8::float8[], $9::float8[], $10::bytea[])
                AS c(device_group, device_id, hour, channel_id, first_ts, last_ts, count, min, max, readings)`,
};

/** A chunk with its extents and coded readings. */
const codedChunk = (chunk: Chunk) => {
  const block = blockOf(chunk);
  const [times, values] = [extentOf(block.times), extentOf(block.values)];
  return { ...chunk, count: block.times.length, times, values, readings: encodeBlock(block) };
};

const writeChunks = async (
  run: Runner,
  slice: TimeSlice,
  group: number,
  channels: readonly MergedChannel[],
): Promise<void> => {
  const chunks: ReturnType<typeof codedChunk>[] = [];
  for (const chunk of chunksOf(channels)) {
    chunks.push(codedChunk(chunk));
    if (slice.isUsedUp()) await slice.next();
  }
  if (chunks.length === 0) return;
  await run.query({
    ...insertChunks,
    values: [
      smallints(chunks.map(() => group)),
      integers(chunks.map(({ deviceId }) => deviceId)),
      integers(chunks.map(({ hour }) => hour)),
      integers(chunks.map(({ isOfOneChannel, parts }) => (isOfOneChannel ? (parts[0]?.channelId ?? 0) : 0))),
      bigints(chunks.map(({ times: [first] }) => first)),
      bigints(chunks.map(({ times: [, last] }) => last)),
      integers(chunks.map(({ count }) => count)),
      doubles(chunks.map(({ values: [least] }) => least)),
      doubles(chunks.map(({ values: [, greatest] }) => greatest)),
      byteas(chunks.map(({ readings }) => readings)),
    ],
  });
};

/** A reading from before the newest one changes nothing, nor does one of the same time: the writer judged likewise. */
const upsertLatest = {
  name: "merge-latest",
  text: `INSERT INTO latest (channel_id, ts, value, status, received_ts)
         SELECT * FROM unnest($1::int4[], $2::int8[], $3::float8[], $4::int2[], $5::int8[])
         ON CONFLICT (channel_id) DO UPDATE SET ts = excluded.ts, value = excluded.value, status = excluded.status, received_ts = excluded.received_ts
         WHERE excluded.ts > latest.ts`,
};

const writeLatest = async (run: Runner, channels: readonly MergedChannel[]): Promise<void> => {
  // All writers lock rows in the same order, which prevents deadlocks.
  const sorted = channels.toSorted((a, b) => a.channelId - b.channelId);
  await run.query({
    ...upsertLatest,
    values: [
      integers(sorted.map(({ channelId }) => channelId)),
      bigints(sorted.map(({ newest }) => newest.ts)),
      doubles(sorted.map(({ newest }) => newest.value)),
      smallints(sorted.map(({ newest }) => newest.status)),
      bigints(sorted.map(({ newest }) => newest.received)),
    ],
  });
};

/** Merges the oldest batches of a group, without some; returns whether there are more. */
const mergePortion = async (run: Runner, group: number, leftOut: readonly number[] = []): Promise<boolean> => {
  await lockGroup(run, group);
  await commitTogether(run);
  const values = [group, portion.readings, portion.chunks, leftOut];
  const { rows } = await run.query<BatchRow>({ text: takeBatches, values });
  const [first] = rows;
  if (!first) return false;
  const slice = createSliceWithin(run);
  const gathering = createGathering();
  for (const { readings, received_ts } of rows.toSorted((a, b) => a.batch_id - b.batch_id)) {
    gathering.add(decodeBlock(readings), received_ts);
    if (slice.isUsedUp()) await slice.next();
  }
  const channels = await gathering.merged(slice);
  await writeChunks(run, slice, group, channels);
  await writeLatest(run, channels);
  return first.waiting > rows.length;
};

const groupsOf = `
  SELECT DISTINCT device_group FROM batches WHERE device_group = ANY($1::int2[]) AND device_ids && $2::int4[] AND damage IS NULL
   ORDER BY device_group`;

/** Groups with unmerged readings of these devices, ascending: the order in which they are locked. */
const unmergedGroups = async (run: Runner, deviceIds: readonly number[]): Promise<number[]> => {
  const groups = [...new Set(deviceIds.map(groupOf))];
  const { rows } = await run.query<{ device_group: number }>({ text: groupsOf, values: [groups, deviceIds] });
  return rows.map((row) => row.device_group);
};

/** Merges a device group; what cannot be read is marked and left out. */
export const mergeReadable = async (needs: Marking, group: number): Promise<void> => {
  try {
    await mergeGroup(needs.pool, group);
  } catch (fault) {
    if (!isDamage(fault) || (await markDamaged(needs, group)) === 0) throw fault;
    await mergeGroup(needs.pool, group);
  }
};

/** Like `mergeDevices`, in transactions of its own. A damaged row keeps nobody waiting: see `mergeReadable`. */
export const mergeNow = async (needs: Marking, deviceIds: readonly number[]): Promise<void> => {
  for (const group of await unmergedGroups(needs.pool, deviceIds)) await mergeReadable(needs, group);
};

/** Merges a device group within a transaction. What cannot be read is left out; the job marks it. */
const mergeWithin = async (run: Runner, group: number): Promise<void> => {
  const mergeAll = (leftOut: readonly number[]) =>
    inSavepoint(run, async () => {
      while (await mergePortion(run, group, leftOut));
    });
  try {
    await mergeAll([]);
  } catch (fault) {
    const leftOut = isDamage(fault) ? await unreadableBatches(run, group) : [];
    if (leftOut.length === 0) throw fault;
    await mergeAll(leftOut);
  }
};

/**
 * Merges the groups of these devices, if they have unmerged readings, in the transaction of `run`: `latest` then holds their newest readings. Only what
 * arrived last should be left for it, or the transaction takes long: see `mergeNow`. Like there, a damaged row keeps nobody waiting.
 */
export const mergeDevices = async (run: Runner, deviceIds: readonly number[]): Promise<void> => {
  for (const group of await unmergedGroups(run, deviceIds)) await mergeWithin(run, group);
};

/**
 * Moves the batches of a device group into chunks and writes its newest readings. Only what DELETE returns is merged, so nothing is lost or doubled
 * when a transaction is repeated; each takes a portion, so that who waits for the group gets a turn. Throws when a batch cannot be read: see `markDamaged`.
 */
const mergeGroup = async (pool: Pool, group: number): Promise<void> => {
  const mergeSome = () =>
    inTransaction(pool, async (client) => {
      await allowLongStatements(client);
      return mergePortion(client, group);
    });
  while (await mergeSome());
};
