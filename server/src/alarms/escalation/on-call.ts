import type { Shift } from "@telltale/contract/domains/alerting/escalation";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { firstWhere } from "../../platform/first-where.ts";

/** A time in epoch milliseconds; the end does not belong to it. */
interface Stretch {
  from: number;
  to: number;
}

/** Who is on call by the week, and the exceptions; times are epoch milliseconds. */
export interface RosterTimes {
  timeZoneId: string;
  shifts: readonly Shift[];
  /** Later ones take precedence. */
  swaps: readonly (Stretch & { accountId: number })[];
}

/** A time on call; no account in a gap. */
export interface Span extends Stretch {
  accountId: number | null;
  /** Whose shift somebody else has taken. */
  insteadOf: number | null;
}

const minute = 60_000;
const day = 1440 * minute;

/** The shifts that touch a time, by the local clock: one that daylight saving skips moves on, and one that it doubles counts once. */
const occurrencesOf = ({ timeZoneId, shifts }: RosterTimes, { from, to }: Stretch) => {
  const zone = zoneOf(timeZoneId);
  const shown = new Map<number, number>();
  const showing = (wall: number): number => {
    const known = shown.get(wall) ?? zone.showing(wall);
    shown.set(wall, known);
    return known;
  };
  const found: (Stretch & { accountId: number })[] = [];
  const dayOf = (moment: number): number => Math.floor((moment + zone.offset(moment)) / day) * day;
  for (let wall = dayOf(from) - day; wall <= dayOf(to); wall += day) {
    // 1970-01-01 was a Thursday.
    const weekday = ((wall / day + 3) % 7) + 1;
    for (const shift of shifts) {
      if (!shift.days.includes(weekday)) continue;
      const ends = shift.to > shift.from ? shift.to : shift.to + 1440;
      const span = { from: showing(wall + shift.from * minute), to: showing(wall + ends * minute) };
      if (span.from < to && span.to > from) found.push({ ...span, accountId: shift.accountId });
    }
  }
  return found;
};

/** The part of a time that lies within another; it ends before it begins where there is none. */
const within = (one: Stretch, other: Stretch): Stretch => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
});

const isSome = ({ from, to }: Stretch): boolean => from < to;

/** Adds a number to an ascending list, or takes it out again. */
const toggle = (list: number[], number: number): void => {
  const at = firstWhere(list, (each) => each >= number);
  if (list[at] === number) list.splice(at, 1);
  else list.splice(at, 0, number);
};

/** A time in which the same one of some stretches is the first in their list; `at` is -1 where there is none. */
interface Part extends Stretch {
  at: number;
}

/** Which of the stretches is the first in their list, for all of `time`: parts that follow each other and differ. */
const firstOf = (stretches: readonly Stretch[], time: Stretch): Part[] => {
  const edges = stretches
    .map((each, at) => ({ ...within(each, time), at }))
    .filter(isSome)
    .flatMap(({ from, to, at }) => [
      { moment: from, at },
      { moment: to, at },
    ])
    .toSorted((a, b) => a.moment - b.moment);
  const parts: Part[] = [];
  const present: number[] = [];
  let from = time.from;
  for (const edge of [...edges, { moment: time.to, at: -1 }]) {
    const at = present[0] ?? -1;
    const last = parts.at(-1);
    if (edge.moment > from && last?.at === at) last.to = edge.moment;
    else if (edge.moment > from) parts.push({ from, to: edge.moment, at });
    from = edge.moment;
    toggle(present, edge.at);
  }
  return parts;
};

/** The common parts of two lists of parts of the same time. */
const crossed = (ones: readonly Part[], others: readonly Part[]): [one: Part, other: Part, common: Stretch][] => {
  const found: [Part, Part, Stretch][] = [];
  for (let [at, beside] = [0, 0]; ; ) {
    const [one, other] = [ones[at], others[beside]];
    if (!one || !other) return found;
    found.push([one, other, within(one, other)]);
    if (one.to <= other.to) at += 1;
    if (other.to <= one.to) beside += 1;
  }
};

/**
 * Who is on call between two times (epoch milliseconds), by beginning, with the gaps. Shifts that overlap are all on call. A swap replaces whoever is
 * on call in its time.
 */
export const onCallBetween = (roster: RosterTimes, from: number, to: number): Span[] => {
  const time = { from, to };
  const shifts = occurrencesOf(roster, time);
  const swaps = roster.swaps.toReversed();
  const bySwaps = firstOf(swaps, time);
  const others = crossed(bySwaps, firstOf(shifts, time)).flatMap(([{ at }, own, common]): Span[] => {
    const [swap, shift] = [swaps[at], shifts[own.at]];
    if (swap) return [{ ...common, accountId: swap.accountId, insteadOf: shift?.accountId ?? null }];
    return shift ? [] : [{ ...common, accountId: null, insteadOf: null }];
  });
  const unswapped = bySwaps.filter(({ at }) => at === -1);
  const own = shifts.flatMap(({ accountId, ...shift }) => {
    const found: Span[] = [];
    for (let at = firstWhere(unswapped, (part) => part.to > shift.from); ; at += 1) {
      const part = unswapped[at];
      if (!part || part.from >= shift.to) return found;
      if (shift.from < shift.to) found.push({ ...within(shift, part), accountId, insteadOf: null });
    }
  });
  return [...others, ...own].toSorted((a, b) => a.from - b.from);
};

/** The accounts on call at a moment; none in a gap. */
export const onCallAt = (roster: RosterTimes, moment: number): number[] =>
  onCallBetween(roster, moment, moment + 1).flatMap(({ accountId }) => accountId ?? []);
