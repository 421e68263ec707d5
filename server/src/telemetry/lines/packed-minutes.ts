import type { Runner } from "../../platform/database/runner.ts";
import { askPlaces, inPlace, joined, type Place, type Run, theChannels } from "../../readings/index.ts";
import { unpackRun } from "../packing/packed-hour.ts";
import type { Cells } from "./cells.ts";

const minute = 60_000;
const hourLength = 60 * minute;

/** Of a channel's packed hours their minutes, and the readings of those that hold too few to have minutes. */
const packedOf = (place?: Place): string => `
  SELECT s.channel_id, s.hour, s.min, s.max, coalesce(p.minute_counts, p.minute_count::int[]) AS minute_counts, p.minute_min, p.minute_max,
         CASE WHEN p.minute_min IS NULL THEN p.steps END AS steps, CASE WHEN p.minute_min IS NULL THEN p.values END AS values
    FROM hour_summaries s LEFT JOIN packed_hours p ON p.channel_id = s.channel_id AND p.hour = s.hour AND p.channel_id = ANY($1::int4[]) AND p.hour BETWEEN $2 AND $3${inPlace(place, "p")}
   WHERE s.channel_id = ANY($1::int4[]) AND s.hour BETWEEN $2 AND $3${inPlace(place, "s")}`;

/** A packed hour of a channel as a line needs it. */
export interface PackedMinutes {
  channel_id: number;
  hour: number;
  min: number;
  max: number;
  minute_counts: number[] | null;
  minute_min: (number | null)[] | null;
  minute_max: (number | null)[] | null;
  steps: number[] | null;
  values: number[] | null;
}

/** The packed hours of these channels from the first to the last hour. */
export const packedMinutes = async (
  client: Runner,
  channelIds: readonly number[],
  [first, last]: readonly [number, number],
): Promise<PackedMinutes[]> => {
  const rows = await askPlaces(
    client,
    theChannels(channelIds),
    async ({ value }, place) =>
      (await client.query<PackedMinutes>({ text: packedOf(place), values: [value, first, last] })).rows,
  );
  return rows.flat();
};

/** Minimum and maximum of a stretch at a third and two thirds of it: their times are not kept. */
const extremesAt = (start: number, length: number, min: number, max: number): Run => ({
  times: Float64Array.from(min === max ? [start + length / 2] : [start + length / 3, start + (2 * length) / 3]),
  values: Float64Array.from(min === max ? [min] : [min, max]),
  statuses: new Uint8Array(min === max ? 1 : 2),
});

/** The points of a packed hour, without the minutes of which the cells tell as much, nearer to their times. */
export const pointsOf = (row: PackedMinutes, cells: Cells | undefined): Run => {
  const start = row.hour * hourLength;
  if (row.steps && row.values)
    return unpackRun({ hour: row.hour, steps: row.steps, values: row.values, statuses: null });
  const { minute_counts, minute_min, minute_max } = row;
  if (!minute_counts) return extremesAt(start, hourLength, row.min, row.max);
  return joined(
    minute_counts.flatMap((count, index) => {
      const [min, max, at] = [minute_min?.[index], minute_max?.[index], start + index * minute];
      if (count === 0 || typeof min !== "number" || typeof max !== "number") return [];
      return cells?.reaches({ start: at, length: minute, min, max }) ? [] : extremesAt(at, minute, min, max);
    }),
  );
};
