import type { Database } from "../../platform/database/schema/schema.ts";
import { isSameScale } from "../../telemetry/index.ts";

/** Time since which the channel's readings mean what they mean now, epoch milliseconds; 0 when they always did. */
export const scaledSince = async (db: Database, channelId: number): Promise<number> => {
  const periods = await db
    .selectFrom("settings_periods")
    .select(["start_time", "settings"])
    .where("channel_id", "=", channelId)
    .orderBy("start_time", "desc")
    .execute();
  const [inForce] = periods;
  if (!inForce) return 0;
  const other = periods.findIndex(({ settings }) => !isSameScale(settings, inForce.settings));
  return other === -1 ? 0 : (periods[other - 1]?.start_time.getTime() ?? 0);
};
