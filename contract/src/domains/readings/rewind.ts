import { z } from "zod";
import { get } from "../../call/call.ts";
import { numbers } from "../../call/numbers.ts";
import * as wire from "../../call/wire.ts";
import { AlertRow, AlertStatus, AlertType } from "../alerts.ts";
import { ReadingStatus, reportWithin } from "../channels.ts";
import { Tile } from "../dashboard/tiles.ts";

/** Days of the longest window. */
export const longestRewind = 31;
const day = 86_400_000;

/** Most alerts of a window, the newest. */
export const mostRewound = 500;

/** The settings by which a channel's readings were judged from `startTime` on: null of the first, which reaches back to the first reading. */
export const RewoundPeriod = z.object({
  startTime: wire.time().nullable(),
  unit: z.string(),
  channelAnalogId: z.int(),
  limits: z.array(z.object({ alarmType: z.enum(AlertType), setpoint: z.number() })),
  reportWithin,
  /** What the sensor could read; null where there is no such range. */
  sensorRange: Tile.shape.sensorRange,
});
export type RewoundPeriod = z.output<typeof RewoundPeriod>;

/** A channel at each moment. */
export const RewoundChannel = z.object({
  deviceChannelId: z.int(),
  /** Its newest value, with three decimals, not rounded; null where it had none in the unit of then. */
  values: numbers(),
  /** The status of that reading; no data while the device was offline. */
  statuses: numbers(),
  /** Whole minutes since that reading. */
  ages: numbers(),
  /** Oldest first. */
  periods: z.array(RewoundPeriod),
});
export type RewoundChannel = z.output<typeof RewoundChannel>;

const Span = z.object({ startTime: wire.time(), endTime: wire.time().nullable() });

/** An alert that stood in the window: raised (`createdTime`), confirmed (`acceptTime`), cleared (`modifiedTime`), and silent meanwhile. */
export const RewoundAlert = AlertRow.omit({
  alarmLogGroupId: true,
  status: true,
  interval: true,
  deviceSnId: true,
  time: true,
  receivedTime: true,
  peak: true,
  assignedName: true,
  isSilent: true,
  silentUntil: true,
  wasSilent: true,
}).extend({ silent: z.array(Span) });
export type RewoundAlert = z.output<typeof RewoundAlert>;

/** A dashboard over a window of time. */
export const Rewind = z.object({
  /** The one that was asked for, or the account's own; null without one. */
  dashboardId: z.int().nullable(),
  /** The first moment, epoch milliseconds. The others follow it, `step` milliseconds apart; a value is as of its moment. */
  from: z.number(),
  step: z.int(),
  moments: z.int(),
  /** The tiles as they are arranged now, with their channels and without values. */
  tiles: z.array(Tile),
  channels: z.array(RewoundChannel),
  /** When the devices of the tiles were not heard in the window; of a device without such a time there is none. */
  offline: z.array(Span.extend({ deviceId: z.int() })),
  /** Newest first. */
  alerts: z.array(RewoundAlert),
  /** How many alerts stood in the window. */
  total: z.int(),
  /** When the history of the channels begins; null without one. */
  beginning: wire.time().nullable(),
});
export type Rewind = z.output<typeof Rewind>;

/** A dashboard in the past. */
export const rewind = {
  window: get("/api/dashboard/rewind", {
    access: "dashboard.read",
    summary:
      "A dashboard over a window of at most 31 days: its channels' values, at each minute of a day and in coarser steps of a longer window, the limits and intervals of then, and the alerts that stood, with when they changed",
    query: z
      .object({ dashboardId: wire.int().optional(), from: wire.rangeStart(), to: wire.rangeEnd() })
      .refine(({ from, to }) => from <= to, { error: "To is before From", path: ["to"] })
      .refine(({ from, to }) => to.getTime() - from.getTime() <= longestRewind * day, {
        error: `To is more than ${longestRewind} days after From`,
        path: ["to"],
      }),
    result: Rewind,
  }),
};

const isIn = ({ startTime, endTime }: z.output<typeof Span>, at: number): boolean =>
  startTime.getTime() <= at && (endTime === null || endTime.getTime() > at);

/** What an alert was at a moment; undefined before it was raised. */
export const statusAt = (
  { createdTime, acceptTime, modifiedTime }: Pick<RewoundAlert, "createdTime" | "acceptTime" | "modifiedTime">,
  at: number,
): AlertStatus | undefined => {
  if (createdTime.getTime() > at) return undefined;
  if (modifiedTime !== null && modifiedTime.getTime() <= at) return AlertStatus.cleared;
  return acceptTime !== null && acceptTime.getTime() <= at ? AlertStatus.confirmed : AlertStatus.triggered;
};

/** An alert as it stood at a moment. */
export interface StoodAlert {
  alert: RewoundAlert;
  isConfirmed: boolean;
  /** Nobody was notified of it. */
  isSilent: boolean;
}

/** The alerts that stood at a moment. */
export const stoodAt = (alerts: readonly RewoundAlert[], at: number): StoodAlert[] =>
  alerts.flatMap((alert) => {
    const status = statusAt(alert, at);
    if (status === undefined || status === AlertStatus.cleared) return [];
    const isSilent = alert.silent.some((span) => isIn(span, at));
    return [{ alert, isConfirmed: status === AlertStatus.confirmed, isSilent }];
  });

/** A channel as it was at a moment. */
export interface RewoundReading {
  value: number | null;
  status: number;
  /** When it was read, to the minute. */
  updateTime: Date | null;
}

/** A channel's reading at the moment of this index; no data outside the window. */
export const readingAt = (
  { values, statuses, ages }: RewoundChannel,
  { from, step }: Pick<Rewind, "from" | "step">,
  index: number,
): RewoundReading => {
  const [value, age] = [values[index] ?? null, ages[index] ?? null];
  return {
    value,
    status: statuses[index] ?? ReadingStatus.noData,
    updateTime: age === null ? null : new Date(from + index * step - age * 60_000),
  };
};

/** Whether a device was not heard at a moment. */
export const wasOffline = ({ offline }: Pick<Rewind, "offline">, deviceId: number, at: number): boolean =>
  offline.some((span) => span.deviceId === deviceId && isIn(span, at));

/** The settings of a channel at a moment; undefined when it has none. */
export const periodAt = ({ periods }: Pick<RewoundChannel, "periods">, at: number): RewoundPeriod | undefined =>
  periods.findLast(({ startTime }) => startTime === null || startTime.getTime() <= at) ?? periods[0];
