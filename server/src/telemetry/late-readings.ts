import type { PoolClient } from "pg";
import { longQuery } from "../database/long-work.ts";

const hour = 3_600_000;

/** Readings this old may belong to a month whose data package is made already, milliseconds. */
const lateAfter = 86_400_000;
/** The clock that is behind all others: on it a moment's month is as early as it can be. */
const mostBehind = 12 * hour;

/** Whether packing the hours from `from` on (since the epoch) may change a finished month: it is the oldest that counts. `now` in epoch milliseconds. */
export const isLate = (from: number, now: number): boolean => from * hour < now - lateAfter;

const markMonths = `
  INSERT INTO package_progress (device_id, next_month, late_count)
  SELECT DISTINCT c.device_id, $3::int, 1 FROM readings r JOIN channels c USING (channel_id)
   WHERE r.ts >= $1::bigint * ${hour} AND r.ts < $2::bigint * ${hour}
  ON CONFLICT (device_id) DO UPDATE SET next_month = least(package_progress.next_month, excluded.next_month), late_count = package_progress.late_count + 1`;

/** Has the data packages of the devices with hot readings in these hours made again from that month on. */
export const markLateMonths = async (client: PoolClient, from: number, to: number): Promise<void> => {
  const earliest = new Date(from * hour - mostBehind);
  const month = earliest.getUTCFullYear() * 12 + earliest.getUTCMonth();
  await client.query(longQuery(markMonths, [from, to, month]));
};
