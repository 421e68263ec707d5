import { monthStretch } from "@telltale/contract/text/months";
import { dayOn, zoneOf } from "@telltale/contract/text/wall-clock";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CountedAlert, createMonthCounts } from "./month-counts.rules.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const utc = zoneOf("UTC");

const counted = (alerts: readonly CountedAlert[], { from = 0, to = 2 * hour, now = 2 * hour, zone = utc } = {}) => {
  const counts = createMonthCounts({ from, to, now, zone });
  for (const alert of alerts) counts.add(alert);
  return counts.result();
};

let count = 0;
const raised = (seconds: number, more: Partial<CountedAlert> = {}): CountedAlert => ({
  alertId: ++count,
  key: "1:1:1:1",
  ts: seconds * second,
  endedTs: seconds * second + hour,
  confirmedAfter: null,
  priority: 2,
  isSuppressed: false,
  ...more,
});

/** The flood state at each second, by counting the last 10 minutes again. */
const naiveFlood = (alerts: readonly CountedAlert[], to: number) => {
  const floods: { from: number; to: number; total: number }[] = [];
  let from: number | undefined;
  let lastEnd = Number.NEGATIVE_INFINITY;
  const close = (end: number) => {
    if (from === undefined) return;
    const begin = from;
    floods.push({ from, to: end, total: alerts.filter(({ ts }) => ts >= begin && ts < end).length });
    lastEnd = end;
    from = undefined;
  };
  for (let at = 0; at < to; at += second) {
    const recent = alerts.filter(({ ts }) => ts > at - 10 * minute && ts <= at);
    if (from !== undefined && recent.filter(({ ts }) => ts < at).length < 5) close(at);
    if (from === undefined && recent.length > 10) from = recent.find(({ ts }) => ts >= lastEnd)?.ts;
  }
  close(to);
  return floods;
};

/** The figures by their definitions, each alert compared with every other one. */
const naive = (all: readonly CountedAlert[], to: number, now: number) => {
  const alerts = all.filter(({ isSuppressed }) => !isSuppressed);
  const stood = ({ ts, endedTs }: CountedAlert) => (endedTs ?? now) - ts;
  const ofKey = (key: string) => alerts.filter((alert) => alert.key === key);
  const chatters = (alert: CountedAlert) => {
    const own = ofKey(alert.key);
    const at = own.indexOf(alert);
    return [at - 2, at - 1, at].some((first) => {
      const [a, c] = [own[first], own[first + 2]];
      return a !== undefined && c !== undefined && c.ts - a.ts <= minute;
    });
  };
  const keys = [...new Set(alerts.map(({ key }) => key))];
  const totals = keys.map((key) => ofKey(key).length).toSorted((a, b) => b - a);
  const periods = Array.from({ length: Math.ceil(to / (10 * minute)) }, (_, at) =>
    alerts.filter(({ ts }) => ts >= at * 10 * minute && ts < (at + 1) * 10 * minute),
  );
  const confirmed = alerts.flatMap(({ confirmedAfter }) => confirmedAfter ?? []).toSorted((a, b) => a - b);
  const half = confirmed.length / 2;
  const floods = naiveFlood(alerts, to);
  return {
    total: alerts.length,
    suppressed: all.length - alerts.length,
    perHour: alerts.length / (to / hour),
    periods: periods.length,
    busyPeriods: periods.filter(({ length }) => length > 10).length,
    floods,
    floodSeconds: floods.reduce((sum, flood) => sum + (flood.to - flood.from) / second, 0),
    frequentTotal: totals.slice(0, 10).reduce((sum, each) => sum + each, 0),
    chatteringRules: keys.filter((key) => ofKey(key).some(chatters)).length,
    chattering: alerts.filter(chatters).length,
    fleeting: alerts.filter((alert) => alert.endedTs !== null && stood(alert) < minute).length,
    stale: alerts.filter((alert) => stood(alert) > 24 * hour).length,
    priorities: [1, 2, 3].map((priority) => alerts.filter((alert) => alert.priority === priority).length),
    confirmSeconds:
      half === 0 ? null : ((confirmed[Math.ceil(half) - 1] ?? 0) + (confirmed[Math.floor(half)] ?? 0)) / 2e3,
  };
};

const anAlert = fc.record({
  // Dense, so that floods and chatter are frequent.
  gap: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 400 })),
  rule: fc.integer({ min: 1, max: 14 }),
  stood: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: null }),
  confirmed: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: null }),
  priority: fc.integer({ min: 1, max: 3 }),
  isSuppressed: fc.boolean(),
});

test("the figures are those of their definitions, whatever the log", () => {
  fc.assert(
    fc.property(fc.array(anAlert, { maxLength: 120, size: "max" }), fc.boolean(), (drawn, hasSilences) => {
      let at = 0;
      const alerts = drawn
        .map(({ gap, rule, stood, confirmed, priority, isSuppressed }) => {
          at += gap;
          return raised(at, {
            key: `1:${rule}:1:1`,
            priority,
            endedTs: stood === null ? null : (at + stood) * second,
            confirmedAfter: confirmed === null ? null : confirmed * second,
            isSuppressed: hasSilences && isSuppressed,
          });
        })
        .filter(({ ts }) => ts < 2 * hour);
      const [to, now] = [2 * hour, 100 * hour];
      const { floods, frequent, ...result } = counted(alerts, { to, now });
      const { floods: expectedFloods, chattering, ...expected } = naive(alerts, to, now);
      expect(result).toMatchObject(expected);
      expect(floods).toMatchObject(expectedFloods);
      if (frequent.length < 10) expect(frequent.reduce((sum, rule) => sum + rule.chattering, 0)).toBe(chattering);
    }),
    { numRuns: 150 },
  );
});

test("days and hours are those of the clock, in any time zone and month, also where daylight saving begins or ends", () => {
  const zones = ["UTC", "Europe/Berlin", "America/Chicago", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 2024 * 12, max: 2027 * 12 }),
      fc.array(fc.nat(), { maxLength: 60 }),
      (name, month, places) => {
        const zone = zoneOf(name);
        const stretch = monthStretch(zone, month);
        const [from, to] = [stretch.from, stretch.to + 1];
        const times = places.map((place) => from + (place % (to - from))).toSorted((a, b) => a - b);
        const { days, perHour, periods } = counted(
          times.map((ts) => raised(0, { ts })),
          { from, to, zone },
        );
        const stamps = times.map((ts) => zone.stamp(ts).slice(0, 13));
        const shown = days.flatMap(({ day, hours }) =>
          hours.flatMap((alerts, at) => Array<string>(alerts).fill(`${day} ${String(at).padStart(2, "0")}`)),
        );
        expect(shown).toEqual(stamps.toSorted());
        expect(days).toHaveLength(dayOn(zone, to - 1) - dayOn(zone, from) + 1);
        expect(days[0]?.day).toBe(zone.day(from));
        expect(perHour).toBeCloseTo(times.length / ((to - from) / hour), 9);
        expect(periods).toBe(Math.ceil((to - from) / (10 * minute)));
      },
    ),
    { numRuns: 150 },
  );
});

describe("a flood", () => {
  test("begins with the first of eleven alerts within 10 minutes, and ends when the last 10 minutes have fewer than 5", () => {
    const burst = Array.from({ length: 11 }, (_, at) => raised(100 + at * 50));
    const { floods, floodSeconds } = counted(burst);
    // The seventh leaves the last 10 minutes at 400 + 600 s: four are left.
    expect(floods).toEqual([{ from: 100_000, to: 1000_000, total: 11, first: burst[0]?.alertId }]);
    expect(floodSeconds).toBe(900);
  });

  test("does not begin with ten, and frames the hours that it touches", () => {
    expect(counted(Array.from({ length: 10 }, (_, at) => raised(at))).floods).toEqual([]);
    const { days } = counted(Array.from({ length: 11 }, (_, at) => raised(3550 + at * 10)));
    expect(days).toMatchObject([{ day: "1970-01-01", floodHours: [0, 1] }]);
  });
});
