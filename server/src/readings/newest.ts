import type { Runner } from "../platform/database/runner.ts";
import { readableOf } from "./block.ts";
import { type Newest, newestOf } from "./gather.ts";
import { isInParts } from "./parts.ts";
import { askPlaces, batchesThere, bytesOf, coded, naming, type Place, places, theChannels } from "./places.ts";

/** One statement, so that a reading which is merged meanwhile is not missed. Batches in the order of their commits. */
const newestAndUnmerged = {
  name: "newest-and-unmerged",
  text: `${places(undefined)}
  SELECT channel_id, ts, value, status, received_ts, NULL AS readings, 0::bigint AS batch_id FROM latest WHERE channel_id = ANY($1::int4[])
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, received_ts, ${coded}, batch_id FROM ${batchesThere(undefined)}
   ORDER BY batch_id`,
};

/** In a database in parts `latest` is on the coordinator. */
const onlyNewest = `
  SELECT channel_id, ts, value, status, received_ts, NULL AS readings FROM latest WHERE channel_id = ANY($1::int4[])`;
const onlyUnmerged = (place: Place): string => `
  SELECT NULL::int AS channel_id, NULL::int8 AS ts, NULL::float8 AS value, NULL::int2 AS status, received_ts, ${coded} AS readings
    FROM ${batchesThere(place)} ORDER BY batch_id`;

interface Row {
  channel_id: number | null;
  ts: number;
  value: number;
  status: number;
  received_ts: number;
  readings: string | null;
}

/** Unmerged ones first: a merge commits the newest readings before it takes the batches away. */
const rowsOfParts = async (run: Runner, channelIds: readonly number[]): Promise<Row[]> => {
  const unmerged = await askPlaces(run, theChannels(channelIds), async (_channels, place) =>
    place ? (await run.query<Row>({ text: onlyUnmerged(place), values: [] })).rows : [],
  );
  return [...(await run.query<Row>({ text: onlyNewest, values: [channelIds] })).rows, ...unmerged.flat()];
};

const rowsOf = async (run: Runner, channelIds: readonly number[]): Promise<Row[]> =>
  isInParts()
    ? rowsOfParts(run, channelIds)
    : (await naming(theChannels(channelIds), run.query<Row>({ ...newestAndUnmerged, values: [channelIds] }))).rows;

/** The newest readings of these channels by device time, committed up to now; channels without any are left out. */
export const newestReadings = async (
  run: Runner,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, Newest>> => {
  const rows = await rowsOf(run, channelIds);
  const newest = new Map<number, Newest>();
  for (const { channel_id, ts, value, status, received_ts } of rows)
    if (channel_id !== null) newest.set(channel_id, { ts, value, status, received: received_ts });
  const wanted = new Set(channelIds);
  const blocks = rows.flatMap(({ readings, received_ts: received }) =>
    readings ? [{ block: readableOf(bytesOf(readings), wanted), received }] : [],
  );
  for (const [channelId, unmerged] of newestOf(blocks))
    if (unmerged.ts > (newest.get(channelId)?.ts ?? Number.NEGATIVE_INFINITY)) newest.set(channelId, unmerged);
  return newest;
};
