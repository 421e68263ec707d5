import { selectableDays } from "@telltale/contract/domains/readings/downloads";

const dayLength = 86_400_000;

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayLength;

/** The day this many days after another; days are texts such as `2026-11-19`. */
const dayAfter = (day: string, days: number): string =>
  new Date((numberOf(day) + days) * dayLength).toISOString().slice(0, 10);

/** The first and the last day that can be selected today. (spec 1 §5) */
export const choosableDays = (today: string): { first: string; last: string } => ({
  first: dayAfter(today, -selectableDays.earliest),
  last: dayAfter(today, -selectableDays.latest),
});

/** Whether a range from `picked` to `day`, in either order, is longer than a download allows. */
export const isTooFar = (picked: string, day: string): boolean =>
  Math.abs(numberOf(day) - numberOf(picked)) >= selectableDays.longest;
