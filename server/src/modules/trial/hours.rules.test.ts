import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce, type Reading, type Rule } from "../../alarms/evaluate.ts";
import type { HoursOfRange } from "../../telemetry/index.ts";
import { createTrial } from "./evaluation.rules.ts";
import { hoursFor, tryHours } from "./hours.rules.ts";

const hour = 3_600_000;
const hours = 30;
const now = hours * hour;

const limit: Rule = {
  ...atOnce,
  key: "custom 1",
  alarmClass: AlertClass.custom,
  alarmType: AlertType.high,
  alarmId: 1,
  setpoint: 50,
  hysteresis: 5,
};

const hourOf = ({ ts }: Reading) => Math.floor(ts / hour);

/** What the database tells of these readings; the hours in `unpacked` are not described. */
const hoursOf = (readings: readonly Reading[], unpacked: ReadonlySet<number>): HoursOfRange => {
  const byHour = Map.groupBy(readings, hourOf);
  const described = [...byHour].filter(([at]) => !unpacked.has(at));
  return {
    summarised: described.map(([at, those]) => {
      const values = those.map(({ value }) => value);
      return { hour: at, count: those.length, min: Math.min(...values), max: Math.max(...values) };
    }),
    others: [...byHour.keys()].filter((at) => unpacked.has(at)),
  };
};

const whole = (rule: Rule, readings: readonly Reading[]) => {
  const trial = createTrial(rule);
  for (const reading of readings) trial.read(reading);
  return trial.result(now, 2);
};

/** The trial by hours, and which of them were read. */
const byHours = async (rule: Rule, readings: readonly Reading[], unpacked: ReadonlySet<number> = new Set()) => {
  const trial = createTrial(rule);
  const read = new Set<number>();
  await tryHours(trial, hoursFor(rule, hoursOf(readings, unpacked)), async function* (first, last) {
    const those = readings.filter((reading) => hourOf(reading) >= first && hourOf(reading) <= last);
    for (const reading of those) read.add(hourOf(reading));
    yield those;
  });
  return { trial: trial.result(now, 2), read: [...read] };
};

const minutes = (values: readonly number[]): Reading[] =>
  values.map((value, at) => ({ ts: at * 600_000 + 1, value, status: 1 }));

test("a rule that chatters all day has more alerts than a call takes arguments, and they are counted", () => {
  const readings = Array.from({ length: 400_001 }, (_, at) => ({
    ts: at * 100,
    value: at % 2 === 0 ? 0 : 60,
    status: 1,
  }));
  expect(whole(limit, readings)).toMatchObject({ total: 200_000, longestSeconds: 0.1, underAMinute: 200_000 });
});

describe("hours that are skipped", () => {
  test("change nothing: the trial is that of all readings", async () => {
    const rule = fc.record({
      alarmType: fc.constantFrom(AlertType.high, AlertType.low, AlertType.digitalInput),
      condition: fc.constantFrom(AlarmCondition.limit, AlarmCondition.limit, AlarmCondition.rate),
      setpoint: fc.integer({ min: 1, max: 9 }),
      hysteresis: fc.integer({ min: 0, max: 4 }),
      onDelay: fc.constantFrom(0, 60_000, hour, 5 * hour),
      offDelay: fc.constantFrom(0, 60_000, hour, 9 * hour),
      times: fc.constantFrom(1, 2, 3),
      window: fc.constantFrom(hour, 12 * hour),
    });
    const reading = fc.record({
      ts: fc.integer({ min: 0, max: now - 1 }),
      // Mostly values that no limit minds.
      value: fc.oneof({ weight: 6, arbitrary: fc.constant(5) }, { weight: 1, arbitrary: fc.nat({ max: 10 }) }),
      status: fc.constantFrom(1, 1, 1, 3),
    });
    const stored = fc.uniqueArray(reading, { selector: ({ ts }) => ts, maxLength: 120 });
    const unpacked = fc.uniqueArray(fc.nat({ max: hours }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rule, stored, unpacked, async (more, readings, others) => {
        const tried = { ...limit, ...more };
        const ordered = readings.toSorted((a, b) => a.ts - b.ts);
        const { trial } = await byHours(tried, ordered, new Set(others));
        expect(trial).toEqual(whole(tried, ordered));
      }),
      { numRuns: 2_000 },
    );
  });

  test("are those whose extremes are within the limit, while nothing is open", async () => {
    const values = Array.from({ length: 20 * 6 }, () => 20);
    values[5 * 6 + 3] = 60;
    expect((await byHours(limit, minutes(values))).read).toEqual([5]);
    expect((await byHours({ ...limit, offDelay: 2 * hour }, minutes(values))).read).toEqual([5, 6, 7]);
  });

  test("are none of a condition that remembers readings", async () => {
    const values = Array.from({ length: 20 * 6 }, () => 20);
    const rule = { ...limit, condition: AlarmCondition.noChange, window: hour };
    expect((await byHours(rule, minutes(values))).read).toHaveLength(20);
  });
});
