import type { PoolClient } from "pg";
import { longQuery } from "../database/long-work.ts";

const hour = 3_600_000;

/** Readings this old may belong to a month whose data package is made already, milliseconds. */
const lateAfter = 86_400_000;
/** How far clocks are behind UTC and ahead of it at most: a moment is in all the months that it has on one of them. */
const mostBehind = 12 * hour;
const mostAhead = 14 * hour;

/** Whether packing the hours from `from` on (since the epoch) may change a finished month: it is the oldest that counts. `now` in epoch milliseconds. */
export const isLate = (from: number, now: number): boolean => from * hour < now - lateAfter;

const markMonths = `
  INSERT INTO late_months (device_id, month)
  SELECT DISTINCT c.device_id, m.month FROM channels c CROSS JOIN generate_series($2::int, $3::int) AS m(month) WHERE c.channel_id = ANY($1::int[])
  ON CONFLICT (device_id, month) DO UPDATE SET mark = DEFAULT`;

const monthAt = (ts: number): number => {
  const date = new Date(ts);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** Has the data packages of these hours' months made again for the devices of these channels. */
export const markLateMonths = async (
  client: PoolClient,
  channelIds: readonly number[],
  [from, to]: readonly [number, number],
): Promise<void> => {
  const [first, last] = [monthAt(from * hour - mostBehind), monthAt(to * hour - 1 + mostAhead)];
  await client.query(longQuery(markMonths, [channelIds, first, last]));
};
