import { deviceLimits } from "../../device-api.ts";
import { ReadingStatus } from "../channels.ts";

/** A time may be this much ahead of the server's clock, milliseconds: clocks differ. Nothing else that is past is ahead. */
const clockLead = 60_000;

/** What a channel's readings have to satisfy, epoch milliseconds. */
export interface Limits {
  now: number;
  /** Readings before are not kept; -Infinity when all are. */
  keptFrom: number;
}

/** Why a reading cannot be stored; undefined when it can. */
export const refusalOfReading = (
  time: number,
  value: number,
  status: number,
  { now, keptFrom }: Limits,
): string | undefined => {
  if (!Number.isInteger(time)) return "its time has parts of a millisecond";
  if (time < deviceLimits.earliest) return "its time is before 2000";
  if (time > now + clockLead) return "its time is in the future";
  if (time < keptFrom) return `readings before ${new Date(keptFrom).toISOString()} are no longer kept`;
  if (Math.abs(value) > deviceLimits.magnitude) return `its value is beyond ${deviceLimits.magnitude}`;
  return status === ReadingStatus.alarm || status === ReadingStatus.good || status === ReadingStatus.noData
    ? undefined
    : "there is no such status";
};
