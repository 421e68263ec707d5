import type { Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import { askPlaces, bytesOf, hotReadings, inPlace, type Place, type Run, theChannels } from "../../readings/index.ts";
import { eachNewest } from "../packing/newest-of-minutes.ts";

const hour = 3_600_000;

/** Moments at equal steps, all of them whole minutes; epoch milliseconds. */
export interface Moments {
  from: number;
  step: number;
  count: number;
}

/** The newest reading of a channel at each moment, in columns. `times` is -Infinity where there was none yet. */
export type AtMoments = Run;

/** Hours that are read at once: few enough that a channel with a reading a second does not fill the memory. */
const hoursAtOnce = 12;

/** SQL: arrays of numbers in the form in which the database sends them in binary, unless the hour has the newest readings of its minutes. */
const sent = (array: string): string =>
  `CASE WHEN newest_of IS DISTINCT FROM count THEN encode(array_send(${array}), 'base64') END AS ${array}`;
const columns = `channel_id, hour, CASE WHEN newest_of = count THEN newest END AS newest, ${sent("steps")}, ${sent("values")}, ${sent("statuses")}`;

const packedOf = (place?: Place): string => `
  SELECT ${columns} FROM packed_hours WHERE channel_id = ANY($1::int4[]) AND hour BETWEEN $2 AND $3${inPlace(place)} ORDER BY channel_id, hour`;

/** The newest packed hour of each channel before $2. */
const before = (place?: Place): string => `
  SELECT p.* FROM unnest($1::int4[]) AS c(id) CROSS JOIN LATERAL (
    SELECT ${columns} FROM packed_hours WHERE channel_id = c.id AND hour < $2${inPlace(place)} ORDER BY hour DESC LIMIT 1) AS p`;

/** A packed hour with the newest readings of its minutes, or with all. */
type SentHour = { channel_id: number; hour: number } & ({ newest: Buffer } | ({ newest: null } & SentArrays));

/** Arrays in binary: as text they would take ten times as long, and of most readings only the time is needed. */
interface SentArrays {
  steps: string;
  values: string;
  statuses: string | null;
}

/** Offset of the first item of an array of one dimension without nulls; before each item stands its length. */
const firstItem = 24;
const lengthOf = (array: Buffer): number => (array.length < firstItem ? 0 : array.readInt32BE(12));
/** Bytes from item to item of steps, values and statuses. */
const [stepBytes, valueBytes, statusBytes] = [8, 12, 6];
const good = 1;

/** Writes down readings in the order of time and value, in any order of calls. */
interface Filling {
  add: (ts: number, value: number, status: number) => void;
}

const fillingOf = ({ from, step, count }: Moments, { times, values, statuses }: AtMoments): Filling => ({
  add: (ts, value, status) => {
    const at = Math.max(0, Math.ceil((ts - from) / step));
    if (at >= count || ts < (times[at] ?? 0)) return;
    if (ts === times[at] && value <= (values[at] ?? 0)) return;
    times[at] = ts;
    values[at] = value;
    statuses[at] = status;
  },
});

const addPacked = (into: Filling, { step, from }: Moments, row: SentHour): void => {
  if (row.newest) {
    eachNewest(row.hour, row.newest, into.add);
    return;
  }
  const [steps, values] = [bytesOf(row.steps), bytesOf(row.values)];
  const statuses = row.statuses === null ? undefined : bytesOf(row.statuses);
  const last = lengthOf(steps) - 1;
  let ts = row.hour * hour;
  let next = ts + (last < 0 ? 0 : steps.readInt32BE(firstItem));
  for (let at = 0; at <= last; at++) {
    ts = next;
    next += at < last ? steps.readInt32BE(firstItem + stepBytes * (at + 1)) : 0;
    // Of the readings between two moments the last is the one that stands.
    if (at < last && Math.ceil((ts - from) / step) === Math.ceil((next - from) / step)) continue;
    into.add(
      ts,
      values.readDoubleBE(firstItem + valueBytes * at),
      statuses?.readInt16BE(firstItem + statusBytes * at) ?? good,
    );
  }
};

const addRun = (into: Filling, { times, values, statuses }: Run): void => {
  for (let at = 0; at < times.length; at++) into.add(times[at] ?? 0, values[at] ?? 0, statuses[at] ?? good);
};

/** Where there is none since the moment before, its reading stands. */
const carryOn = ({ times, values, statuses }: AtMoments): void => {
  for (let at = 1; at < times.length; at++) {
    if ((times[at] ?? 0) >= (times[at - 1] ?? 0)) continue;
    times[at] = times[at - 1] ?? Number.NEGATIVE_INFINITY;
    values[at] = values[at - 1] ?? 0;
    statuses[at] = statuses[at - 1] ?? good;
  }
};

/**
 * The newest readings of channels at each moment, as a list up to that moment begins with: of two of one time, the greater value. Reads one snapshot: an
 * hour that is packed meanwhile is neither missed nor read as older. Before the first moment the newest of all times counts.
 */
export const readingsAt = (
  pool: Pool,
  channelIds: readonly number[],
  moments: Moments,
): Promise<ReadonlyMap<number, AtMoments>> =>
  inSnapshot(pool, async (client) => {
    const { from, step, count } = moments;
    const end = from + (count - 1) * step;
    const found = new Map(
      channelIds.map((channelId): [number, AtMoments] => [
        channelId,
        {
          times: new Float64Array(count).fill(Number.NEGATIVE_INFINITY),
          values: new Float64Array(count),
          statuses: new Uint8Array(count),
        },
      ]),
    );
    const fillings = new Map(Array.from(found, ([channelId, at]) => [channelId, fillingOf(moments, at)]));
    const slice = createTimeSlice();
    const take = async (textOf: (place?: Place) => string, hours: readonly number[]): Promise<void> => {
      const rows = await askPlaces(client, theChannels(channelIds), async ({ value }, place) => {
        return (await client.query<SentHour>(textOf(place), [value, ...hours])).rows;
      });
      for (const row of rows.flat()) {
        const into = fillings.get(row.channel_id);
        if (into) addPacked(into, moments, row);
        if (slice.isUsedUp()) await slice.next();
      }
    };
    const [first, last] = [Math.floor(from / hour), Math.floor(end / hour)];
    await take(before, [first]);
    for (let at = first; at <= last; at += hoursAtOnce)
      await take(packedOf, [at, Math.min(last, at + hoursAtOnce - 1)]);
    const hot = await hotReadings(client, channelIds, { from: Number.NEGATIVE_INFINITY, to: end });
    for (const [channelId, run] of hot) {
      const into = fillings.get(channelId);
      if (into) addRun(into, run);
    }
    for (const at of found.values()) carryOn(at);
    return found;
  });
