import type { LogGroup } from "@telltale/contract/domains/channels";
import { intervalsOf } from "../../../domain/channel-settings.ts";
import { type Range, type Shown, shownOf } from "./range.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The windows that the bar above a chart offers; `live` follows the newest reading. */
export const spans = {
  "1h": { label: "1 h", length: hour, words: "hour" },
  "8h": { label: "8 h", length: 8 * hour, words: "8 hours" },
  "24h": { label: "24 h", length: day, words: "24 hours" },
  "7d": { label: "7 d", length: 7 * day, words: "7 days" },
  "30d": { label: "30 d", length: 30 * day, words: "30 days" },
  live: { label: "Live", length: 15 * minute, words: "15 minutes" },
} as const;
export type Span = keyof typeof spans;
export const spanNames: readonly Span[] = ["1h", "8h", "24h", "7d", "30d", "live"];

/** Reads a window's name; undefined for any other text. */
export const spanIn = (value: unknown): Span | undefined => spanNames.find((name) => name === value);

/** Report intervals that Live shows at least: fewer would be no line. */
const liveSteps = 20;

/** Length of a window, milliseconds; that of Live depends on how often the channel reports, and holds a report of an unchanged value. */
export const lengthOf = (span: Span, period: LogGroup | undefined): number => {
  const { length } = spans[span];
  if (span !== "live" || !period) return length;
  const { report, unchanged } = intervalsOf(period);
  return Math.max(length, liveSteps * report, unchanged);
};

/** The moment that a chart was opened for: that of an alert, or of a value. */
export interface Moment {
  at: Date;
  alarmLogId: number | undefined;
}

/** What of a channel is shown: a searched range, the range around a moment, a window up to now; or none of them, as the specification has it. */
export interface View {
  range: Range | undefined;
  span: Span | undefined;
  moment: Moment | undefined;
}

/** Milliseconds shown before and after a moment. */
const beside = 30 * minute;

export const rangeAround = (at: Date): Range => ({
  start: new Date(at.getTime() - beside),
  end: new Date(at.getTime() + beside),
});

/** Whether the view is one of a channel, whatever its settings were, rather than of one settings period. */
export const isOfChannel = ({ span, moment }: View): boolean => span !== undefined || moment !== undefined;

/** Tells views apart. */
export const viewKey = ({ range, span, moment }: View): string =>
  [range?.start.getTime(), range?.end.getTime(), span, moment?.alarmLogId, moment?.at.getTime()].join(" ");

/** The shown part of a channel, whatever its settings were: a window up to now, or the range around a moment. */
export const shownOfChannel = ({ span, range }: View, period: LogGroup, now: number): Shown => {
  if (span === undefined) return shownOf({ ...period, endTime: null }, range, now);
  return { requested: { latest: lengthOf(span, period) }, isLive: true, isExplicit: false, until: undefined };
};
