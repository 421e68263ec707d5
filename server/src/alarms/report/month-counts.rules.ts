import { mostFrequentRules, reportLimits } from "@telltale/contract/domains/alerting/report";
import { dayOn, dayText, type Zone } from "@telltale/contract/text/wall-clock";
import { createFloods, type Flood } from "./floods.rules.ts";

/** An alert as it is counted. Times are epoch milliseconds. */
export interface CountedAlert {
  alertId: number;
  /** What raised it: see `ruleKey`. */
  key: string;
  /** When it was raised, by the device's clock. */
  ts: number;
  /** When its condition ended; null while it stands. */
  endedTs: number | null;
  /** Milliseconds from when the server learned of it until a person confirmed it; null where nobody did. */
  confirmedAfter: number | null;
  priority: number;
  /** Raised while it was silenced: nobody was notified. */
  isSuppressed: boolean;
}

/** The time that is counted, from its beginning to before its end, and the moment to which alerts that stand have stood. */
export interface Counted {
  from: number;
  to: number;
  now: number;
  zone: Zone;
}

/** The alerts of one rule. */
export interface RuleCount {
  key: string;
  total: number;
  /** Those that it raised while it chattered. */
  chattering: number;
  newest: number;
}

const { period, floodOver, chatterTimes, chatterWithin, fleetingUnder, staleOver } = reportLimits;
const hour = 3_600_000;
/** Offsets of time zones change, and hours of the clock begin, at these steps. */
const quarter = 900_000;

interface Rule extends RuleCount {
  /** Its last alerts, as many as chatter takes, oldest first. */
  last: { ts: number; isCounted: boolean }[];
}

/** A rule chatters when it raises 3 alerts within 60 seconds; each alert that is one of such three counts. */
const addToRule = (rule: Rule, { ts, alertId }: CountedAlert): void => {
  rule.total += 1;
  rule.newest = alertId;
  if (rule.last.push({ ts, isCounted: false }) > chatterTimes) rule.last.shift();
  const [first] = rule.last;
  if (!first || rule.last.length < chatterTimes || ts - first.ts > chatterWithin) return;
  for (const each of rule.last) {
    if (!each.isCounted) rule.chattering += 1;
    each.isCounted = true;
  }
};

/** The median of numbers; null of none. */
const medianOf = (numbers: readonly number[]): number | null => {
  const ordered = Float64Array.from(numbers).toSorted();
  const middle = ordered.length / 2;
  const [low, high] = [ordered[Math.ceil(middle) - 1], ordered[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
};

/** Counts alerts by the day and hour that the clock showed. */
const createDays = ({ from, to, zone }: Counted) => {
  const first = dayOn(zone, from);
  const days = Array.from({ length: dayOn(zone, Math.max(from, to - 1)) - first + 1 }, (_, at) => ({
    day: dayText(first + at),
    hours: Array<number>(24).fill(0),
    floodHours: new Set<number>(),
  }));
  const placeOf = (ts: number) => ({
    day: days[dayOn(zone, ts) - first],
    hour: new Date(ts + zone.offset(ts)).getUTCHours(),
  });
  const add = (ts: number): void => {
    const { day, hour } = placeOf(ts);
    if (day) day.hours[hour] = (day.hours[hour] ?? 0) + 1;
  };
  const withFloods = (floods: readonly Flood[]) => {
    for (const flood of floods)
      for (let ts = flood.from; ts < flood.to; ts = (Math.floor(ts / quarter) + 1) * quarter) {
        const { day, hour } = placeOf(ts);
        day?.floodHours.add(hour);
      }
    return days.map(({ floodHours, ...day }) => ({ ...day, floodHours: [...floodHours].toSorted((a, b) => a - b) }));
  };
  return { add, withFloods };
};

const byTotal = (a: RuleCount, b: RuleCount): number => b.total - a.total || (a.key < b.key ? -1 : 1);

/** The rules that raised most alerts, the most frequent first. A plant may have hundreds of thousands: they are not sorted. */
const mostFrequent = (rules: readonly RuleCount[]): RuleCount[] => {
  const found: RuleCount[] = [];
  for (const rule of rules) {
    const last = found[mostFrequentRules - 1];
    if (last && byTotal(last, rule) < 0) continue;
    const at = found.findIndex((other) => byTotal(rule, other) < 0);
    found.splice(at < 0 ? found.length : at, 0, rule);
    found.length = Math.min(found.length, mostFrequentRules);
  }
  return found;
};

/** Those of the rules' counts that the report shows. */
const ruleFigures = (rules: readonly RuleCount[]) => {
  const frequent = mostFrequent(rules);
  return {
    frequent: frequent.map(({ key, total, chattering, newest }): RuleCount => ({ key, total, chattering, newest })),
    frequentTotal: frequent.reduce((sum, { total }) => sum + total, 0),
    chatteringRules: rules.filter(({ chattering }) => chattering > 0).length,
  };
};

/**
 * Counts the alerts of a time after ISA-18.2 and EEMUA 191; `add` takes each in the order of their times. All figures but `suppressed` leave out
 * alerts that were silenced when they were raised. Alerts before the time are not looked at: floods and chatter begin anew with it.
 * - operator hour: an hour of the time counted, day and night; `perHour` is alerts divided by these hours
 * - busy period: 10 minutes, counted from the beginning, with more than 10 alerts
 * - flood: see `createFloods`
 * - fleeting: stood for less than 60 seconds
 * - stale: raised in this time and stood, or still stands, for more than 24 hours
 * - time to confirm: from when the server learned of the alert, which is later than the alert where the device reported late
 */
export const createMonthCounts = (counted: Counted) => {
  const { from, to, now } = counted;
  const rules = new Map<string, Rule>();
  const floods = createFloods();
  const days = createDays(counted);
  const perPeriod = new Uint32Array(Math.ceil((to - from) / period));
  const ofPriority: Record<number, number> = {};
  const confirmed: { priority: number; after: number }[] = [];
  const sums = { total: 0, suppressed: 0, fleeting: 0, stale: 0 };

  const add = (alert: CountedAlert): void => {
    const { ts, endedTs, confirmedAfter: after, key, priority } = alert;
    if (alert.isSuppressed) {
      sums.suppressed += 1;
      return;
    }
    const at = Math.floor((ts - from) / period);
    const stood = (endedTs ?? now) - ts;
    sums.total += 1;
    sums.fleeting += endedTs !== null && stood < fleetingUnder ? 1 : 0;
    sums.stale += stood > staleOver ? 1 : 0;
    perPeriod[at] = (perPeriod[at] ?? 0) + 1;
    ofPriority[priority] = (ofPriority[priority] ?? 0) + 1;
    if (after !== null) confirmed.push({ priority, after });
    const rule = rules.get(key) ?? { key, total: 0, chattering: 0, newest: 0, last: [] };
    rules.set(key, rule);
    addToRule(rule, alert);
    floods.add(ts, alert.alertId);
    days.add(ts);
  };

  const medianSeconds = (of: typeof confirmed): number | null => {
    const median = medianOf(of.map(({ after }) => after));
    return median === null ? null : median / 1000;
  };

  const result = () => {
    const found = floods.until(to);
    return {
      ...sums,
      ...ruleFigures([...rules.values()]),
      perHour: to > from ? (sums.total * hour) / (to - from) : 0,
      periods: perPeriod.length,
      busyPeriods: perPeriod.filter((alerts) => alerts > floodOver).length,
      floods: found,
      floodSeconds: found.reduce((sum, flood) => sum + flood.to - flood.from, 0) / 1000,
      priorities: [ofPriority[1] ?? 0, ofPriority[2] ?? 0, ofPriority[3] ?? 0] satisfies number[] as [
        number,
        number,
        number,
      ],
      confirmSeconds: medianSeconds(confirmed),
      confirmSecondsP1: medianSeconds(confirmed.filter(({ priority }) => priority === 1)),
      days: days.withFloods(found),
    };
  };
  return { add, result };
};
