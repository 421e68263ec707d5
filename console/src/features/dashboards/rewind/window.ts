/** Lengths of the strip that can be chosen. */
export const lengths = ["24 h", "7 d", "30 d"] as const;
export type StripLength = (typeof lengths)[number];

const minute = 60_000;
const day = 1_440 * minute;
const days: Record<StripLength, number> = { "24 h": 1, "7 d": 7, "30 d": 30 };

/** A window of time, epoch milliseconds. */
export interface RewindWindow {
  from: number;
  to: number;
}

/** The length that an address names, as `7d`; a day when it names none. */
export const lengthIn = (text: unknown): StripLength =>
  lengths.find((length) => length.replace(" ", "") === text) ?? lengths[0];

/** The window around a moment: the newest one that has it, or for an earlier moment one with it in the middle. */
export const windowAround = (at: number, length: StripLength, now: number): RewindWindow => {
  const span = days[length] * day;
  const newest = Math.floor(now / minute) * minute;
  const to = at >= newest - span ? newest : Math.ceil(at / minute) * minute + span / 2;
  return { from: Math.min(to, newest) - span, to: Math.min(to, newest) };
};

/** What the address says of the moment. */
export type Asked = { at: number } | "newest" | "invalid";

/** The moment in an address: a time, or `now` for the newest. */
export const askedIn = (text: unknown): Asked => {
  if (text === "now" || text === "") return "newest";
  const at = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? "invalid" : { at };
};

/** A moment in an address: to the minute, in UTC, so that it is the same for everyone. */
export const addressOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;

/** The moments of a window. */
export interface Moments {
  from: number;
  step: number;
  moments: number;
}

/** The moment at or before a time, within the window. */
export const momentAt = ({ from, step, moments }: Moments, at: number): number =>
  from + Math.min(Math.max(0, moments - 1), Math.max(0, Math.floor((at - from) / step))) * step;

/** The first moment at or after each of these times, without the one that is shown: the next, and the one before. */
export const neighbours = (
  window: Moments,
  times: readonly number[],
  at: number,
): { previous: number | undefined; next: number | undefined } => {
  const { from, step, moments } = window;
  const last = from + (moments - 1) * step;
  const places = times
    .map((time) => Math.max(from, from + Math.ceil((time - from) / step) * step))
    .filter((place) => place <= last)
    .toSorted((a, b) => a - b);
  return { previous: places.findLast((place) => place < at), next: places.find((place) => place > at) };
};
