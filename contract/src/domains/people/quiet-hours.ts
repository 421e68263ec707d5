import { z } from "zod";
import { timeZoneField } from "./person-fields.ts";

const quietTime = "Enter the times as 22:00 and 06:30";
const minuteOfDay = z.int({ error: quietTime }).min(0, quietTime).max(1439, quietTime);

/** Quiet hours: minutes of the local day, over midnight when they end before they begin. */
export const QuietHours = z
  .object({ from: minuteOfDay, to: minuteOfDay, timeZoneId: timeZoneField }, { error: quietTime })
  .refine(({ from, to }) => from !== to, { error: "Quiet hours end at another time than they begin", path: ["to"] });
export type QuietHours = z.output<typeof QuietHours>;
