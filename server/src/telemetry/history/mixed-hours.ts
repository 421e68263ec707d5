import type { Runner } from "../../platform/database/runner.ts";
import { hotReadings, inPlace, type Place, type Range, type Run, sorted } from "../../readings/index.ts";
import { type PackedHour, unpackRun } from "../packing/packed-hour.ts";

const hour = 3_600_000;

/** Readings that must be read one by one. */
export interface MixedHourReadings {
  /** In the order of time and value, equal ones once. */
  run: Run;
  /** Hours since the epoch whose packed readings are among them. */
  hours: number[];
}

export const emptyRun: Run = { times: new Float64Array(), values: new Float64Array(), statuses: new Uint8Array() };

const packedOf =
  "SELECT hour, steps, values, statuses FROM packed_hours WHERE channel_id = $1 AND hour = ANY($2::int4[])";

/** The hours since the epoch of a run's readings. */
export const hoursOf = ({ times }: Run): ReadonlySet<number> => {
  const hours = new Set<number>();
  for (const time of times) hours.add(Math.floor(time / hour));
  return hours;
};

/** The readings of a run, which is in time order, within the range. */
export const cut = (run: Run, { from, to }: Range): Run => {
  const { times, values, statuses } = run;
  let [start, end] = [0, times.length];
  while (start < end && (times[start] ?? 0) < from) start += 1;
  while (end > start && (times[end - 1] ?? 0) > to) end -= 1;
  return {
    times: times.subarray(start, end),
    values: values.subarray(start, end),
    statuses: statuses.subarray(start, end),
  };
};

/** Joins unpacked readings with those of the packed hours among `packed` that they fall into. */
export const mixHours = (hot: Run, packed: readonly PackedHour[], range: Range): MixedHourReadings => {
  const hours = hoursOf(hot);
  const rows = packed.filter(({ hour }) => hours.has(hour));
  if (rows.length === 0) return { run: hot, hours: [] };
  return { run: cut(sorted([...rows.map(unpackRun), hot]), range), hours: rows.map(({ hour }) => hour) };
};

/**
 * A channel's unpacked readings of the range, joined with the packed ones of the same hours: a reading may be in both when it was sent again. The
 * packed rows of all other hours stand for themselves. Call it in the snapshot that reads those.
 */
export const readMixedHours = async (
  client: Runner,
  channelId: number,
  range: Range,
  place?: Place,
): Promise<MixedHourReadings> => {
  const hot = (await hotReadings(client, [channelId], range)).get(channelId);
  if (!hot) return { run: emptyRun, hours: [] };
  const { rows } = await client.query<PackedHour>({
    text: packedOf + inPlace(place),
    values: [channelId, [...hoursOf(hot)]],
  });
  return mixHours(hot, rows, range);
};
