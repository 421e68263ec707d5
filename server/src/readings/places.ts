import type { Runner } from "../platform/database/runner.ts";
import { groupIn, groupOf } from "./groups.ts";
import { isInParts } from "./parts.ts";

/** Whose readings are asked for: SQL of the channels' ids (int4[]) from the parameter $1; and that parameter. */
export interface ChannelSource {
  name: string;
  ids: string;
  value: unknown;
}

/** These channels. */
export const theChannels = (channelIds: readonly number[]): ChannelSource => ({
  name: "channels",
  ids: "$1::int4[]",
  value: channelIds,
});

/** The channel of a settings period. Whether the caller may see it is another statement's answer, which need not be waited for. */
export const channelOfPeriod = (periodId: number): ChannelSource => ({
  name: "period",
  ids: "(SELECT array_agg(channel_id) FROM settings_periods WHERE period_id = $1)::int4[]",
  value: periodId,
});

/** Channels of one device group of a database in parts, whose readings are on one server. */
export interface Place {
  group: number;
  deviceIds: readonly number[];
  channelIds: readonly number[];
}

const channelsByDevice = (ids: string): string =>
  `SELECT device_id, array_agg(channel_id) AS channels FROM channels WHERE channel_id = ANY(${ids}) GROUP BY device_id`;

/** PostgreSQL's own words for a value that it cannot read: missing or corrupt parts outside of the row, or a disk that does not give them. */
export const isOfStorage = (fault: unknown): fault is Error =>
  fault instanceof Error && "code" in fault && /^(XX00[012]|58030)$/.test(String(fault.code));

/** Stored readings of these channels could not be read: see `markUnreadable`. */
export class Unreadable extends Error {
  readonly source: ChannelSource;
  constructor(source: ChannelSource, cause: unknown) {
    super("Stored readings could not be read", { cause });
    this.source = source;
  }
}

/** Says whose readings were asked for when the database cannot read them. */
export const naming = async <T>(source: ChannelSource, ask: Promise<T>): Promise<T> => {
  try {
    return await ask;
  } catch (fault) {
    throw isOfStorage(fault) ? new Unreadable(source, fault) : fault;
  }
};

/** The places of these channels, whether or not the database is in parts. */
export const placesOf = async (run: Runner, { ids, value }: ChannelSource): Promise<Place[]> => {
  const { rows } = await run.query<{ device_id: number; channels: number[] }>({
    text: channelsByDevice(ids),
    values: [value],
  });
  return Array.from(
    Map.groupBy(rows, (row) => groupOf(row.device_id)),
    ([group, devices]) => ({
      group,
      deviceIds: devices.map((row) => row.device_id),
      channelIds: devices.flatMap((row) => row.channels),
    }),
  );
};

/**
 * Asks for readings of channels: once in a whole database, without a place; in one in parts once for each place, at the same time, so that each
 * statement is of one server.
 */
export const askPlaces = async <T>(
  run: Runner,
  source: ChannelSource,
  ask: (source: ChannelSource, place?: Place) => Promise<T>,
): Promise<T[]> => {
  if (!isInParts()) return [await naming(source, ask(source))];
  const places = await placesOf(run, source);
  return naming(source, Promise.all(places.map((place) => ask(theChannels(place.channelIds), place))));
};

/** The place of a channel; undefined in a whole database, without a round trip. */
export const placeOf = async (run: Runner, channelId: number): Promise<Place | undefined> =>
  isInParts() ? (await placesOf(run, theChannels([channelId])))[0] : undefined;

/** SQL: condition by which a statement goes to the server of a place; nothing in a whole database. */
export const inPlace = (place: Place | undefined, table?: string): string =>
  place ? ` AND ${table ? `${table}.` : ""}device_group = ${place.group}` : "";

/** The name of a statement; none for a place, whose statements differ. */
export const nameOf = (name: string, place: Place | undefined): { name?: string } => (place ? {} : { name });

/** SQL: stored blocks as text of a third less than the usual one, which is what a chart of the last minute under full load waits for; `bytesOf` reads it. */
export const coded = "encode(readings, 'base64')";
export const bytesOf = (text: string): Buffer => Buffer.from(text, "base64");

/**
 * SQL, before all else: the devices and device groups of channels, looked up by the statement that needs them, which spares a round trip. With a place
 * they are known. `more`: further common table expressions.
 */
export const places = (place: Place | undefined, ids = "$1::int4[]", more = ""): string => {
  if (place) return more && `WITH ${more}`;
  return `
  WITH place AS MATERIALIZED (
    SELECT array_agg(DISTINCT device_id) AS devices, array_agg(DISTINCT ${groupIn("device_id")}) AS groups FROM channels WHERE channel_id = ANY(${ids}))${more && `, ${more}`}`;
};

/** From which end chunks are taken, and how many. */
interface EdgeOrder {
  time: "first_ts" | "last_ts";
  order: "ASC" | "DESC";
  most: string;
}

const groupsThere = (place: Place | undefined): string =>
  place ? `device_group = ${place.group}` : "device_group = ANY((SELECT groups FROM place)::int2[])";

const devicesThere = (place: Place | undefined): string =>
  place ? `'{${place.deviceIds.join(",")}}'::int4[]` : "(SELECT devices FROM place)::int4[]";

/** SQL: condition by which a chunk can hold readings of these channels that can be read. */
export const ofChannels = (ids: string): string =>
  `(channel_id IS NULL OR channel_id = ANY(${ids})) AND damage IS NULL`;

/** SQL, after `places`: the chunks of these channels. */
export const chunksThere = (place: Place | undefined, ids = "$1::int4[]"): string => `chunks
   WHERE ${groupsThere(place)} AND device_id = ANY(${devicesThere(place)}) AND ${ofChannels(ids)}`;

/**
 * SQL, after `places`: of each device the chunks of these channels that are nearest to an edge, as `at` and `readings`; `most`: how many of a device. In the
 * order of an index, so that no others are looked at.
 */
export const edgeChunksThere = (place: Place | undefined, ids: string, { time, order, most }: EdgeOrder): string => `
  unnest(${devicesThere(place)}) AS owner(device) CROSS JOIN LATERAL (
    SELECT ${time} AS at, readings FROM chunks
     WHERE device_group = ${place ? place.group : groupIn("owner.device")} AND device_id = owner.device AND ${ofChannels(ids)}
     ORDER BY ${time} ${order} LIMIT ${most}) AS nearest`;

/** SQL, after `places`: the unmerged batches of these devices. */
export const batchesThere = (place: Place | undefined): string => `batches
   WHERE ${groupsThere(place)} AND device_ids && ${devicesThere(place)} AND damage IS NULL`;
