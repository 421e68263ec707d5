import type { Shift } from "@telltale/contract/domains/alerting/escalation";
import { zoneOf } from "@telltale/contract/text/wall-clock";

/** Who is on call by the week, and the exceptions; times are epoch milliseconds. */
export interface RosterTimes {
  timeZoneId: string;
  shifts: readonly Shift[];
  /** Later ones take precedence. */
  swaps: readonly { accountId: number; from: number; to: number }[];
}

/** A time on call; no account in a gap. */
export interface Span {
  from: number;
  to: number;
  accountId: number | null;
  /** Whose shift somebody else has taken. */
  insteadOf: number | null;
}

interface Occurrence extends Span {
  /** Tells apart shifts that follow each other. */
  key: string;
}

const minute = 60_000;
const day = 1440 * minute;

/** The shifts that touch a time, by the local clock: one that daylight saving skips moves on, and one that it doubles counts once. */
const occurrencesOf = ({ timeZoneId, shifts }: RosterTimes, from: number, to: number): Occurrence[] => {
  const zone = zoneOf(timeZoneId);
  const found: Occurrence[] = [];
  const dayOf = (moment: number): number => Math.floor((moment + zone.offset(moment)) / day) * day;
  for (let wall = dayOf(from) - day; wall <= dayOf(to); wall += day) {
    // 1970-01-01 was a Thursday.
    const weekday = ((wall / day + 3) % 7) + 1;
    for (const [at, shift] of shifts.entries()) {
      if (!shift.days.includes(weekday)) continue;
      const ends = shift.to > shift.from ? shift.to : shift.to + 1440;
      const span = { from: zone.showing(wall + shift.from * minute), to: zone.showing(wall + ends * minute) };
      if (span.from < to && span.to > from)
        found.push({ ...span, accountId: shift.accountId, insteadOf: null, key: `${at}:${wall}` });
    }
  }
  return found;
};

/** Who is on call from one moment to the next of `moments`. */
const during = (roster: RosterTimes, shifts: readonly Occurrence[], from: number, to: number): Occurrence[] => {
  const own = shifts.filter((shift) => shift.from <= from && shift.to >= to);
  const at = roster.swaps.findLastIndex((swap) => swap.from <= from && swap.to >= to);
  const swap = roster.swaps[at];
  if (swap) {
    const { accountId } = swap;
    return [{ from, to, accountId, insteadOf: own[0]?.accountId ?? null, key: `swap ${at}:${own[0]?.key}` }];
  }
  if (own.length > 0) return own.map((shift) => ({ ...shift, from, to }));
  return [{ from, to, accountId: null, insteadOf: null, key: "gap" }];
};

/**
 * Who is on call between two times (epoch milliseconds), by beginning, with the gaps. Shifts that overlap are all on call. A swap replaces whoever is
 * on call in its time.
 */
export const onCallBetween = (roster: RosterTimes, from: number, to: number): Span[] => {
  const shifts = occurrencesOf(roster, from, to);
  const inside = (moment: number): number => Math.min(Math.max(moment, from), to);
  const edges = [...shifts, ...roster.swaps].flatMap((span) => [inside(span.from), inside(span.to)]);
  const moments = [...new Set([from, ...edges, to])].toSorted((a, b) => a - b);
  const open = new Map<string, Occurrence>();
  const all: Occurrence[] = [];
  for (const [at, begin] of moments.slice(0, -1).entries()) {
    for (const span of during(roster, shifts, begin, moments[at + 1] as number)) {
      const before = open.get(span.key);
      if (before?.to === span.from) before.to = span.to;
      else {
        open.set(span.key, span);
        all.push(span);
      }
    }
  }
  return all.map(({ key: _, ...span }) => span);
};

/** The accounts on call at a moment; none in a gap. */
export const onCallAt = (roster: RosterTimes, moment: number): number[] =>
  onCallBetween(roster, moment, moment + 1).flatMap(({ accountId }) => accountId ?? []);
