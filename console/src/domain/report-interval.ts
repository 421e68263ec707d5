import type { ReportIntervals } from "@telltale/contract/domains/devices";
import { count, nounOf } from "@telltale/contract/text/counted";
import { missing } from "../ui/format/time.ts";

/** Report interval of a device's channels: `5` seconds, `5 ~ 60` seconds where they differ, `--` when none is on. */
export const reportIntervalText = (intervals: ReportIntervals): { text: string; unit: string } => {
  if (intervals === null) return { text: missing, unit: "" };
  const { least, most } = intervals;
  const text = least === most ? count(least) : `${count(least)} ~ ${count(most)}`;
  return { text, unit: nounOf(most, "second") };
};
