import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  atOnce,
  atRest,
  dueOf,
  isStanding,
  mustKeep,
  type Reading,
  type Rule,
  type RuleState,
  step,
  tick,
} from "./evaluate.ts";

const aRule = (alarmType: number, setpoint: number, more: Partial<Rule> = {}): Rule => ({
  key: "k",
  alarmClass: AlertClass.threshold,
  alarmType,
  alarmId: null,
  setpoint,
  hysteresis: 0,
  ...atOnce,
  ...more,
});

interface Run {
  state: RuleState;
  newest: Reading;
  /** `raise 5`, `clear 9`: kind and time. */
  log: string[];
}
const nothing: Run = {
  state: atRest,
  newest: { ts: Number.NEGATIVE_INFINITY, value: 0, status: ReadingStatus.noData },
  log: [],
};

const read = (rule: Rule, run: Run, reading: Reading): Run => {
  const { state, transitions } = step(rule, run.state, run.newest, reading);
  const newest = reading.ts > run.newest.ts ? reading : run.newest;
  return { state, newest, log: [...run.log, ...transitions.map(({ kind, at }) => `${kind} ${at}`)] };
};
const pause = (rule: Rule, run: Run, until: number): Run => {
  const { state, transitions } = tick(rule, run.state, run.newest, until);
  return { ...run, state, log: [...run.log, ...transitions.map(({ kind, at }) => `${kind} ${at}`)] };
};
const readAll = (rule: Rule, readings: readonly Reading[], from = nothing): Run =>
  readings.reduce((run, reading) => read(rule, run, reading), from);

const at = (ts: number, value: number, status: number = ReadingStatus.good): Reading => ({ ts, value, status });

describe("a rule that is raised at once", () => {
  it.each([
    ["High at its setpoint", aRule(AlertType.high, 8, { hysteresis: 0.5 }), [7.99, 8, 7.5, 7.49], "raise 2, clear 4"],
    ["High without hysteresis", aRule(AlertType.high, 8), [8, 7.99], "raise 1, clear 2"],
    ["Low at its setpoint", aRule(AlertType.low, 2, { hysteresis: 0.5 }), [2.01, 2, 2.5, 2.51], "raise 2, clear 4"],
    ["DI at its level", aRule(AlertType.digitalInput, 1), [0, 1, 1, 0], "raise 2, clear 4"],
    ["DI that is normally closed", aRule(AlertType.digitalInput, 0), [1, 0, 1], "raise 2, clear 3"],
    ["Counting", aRule(AlertType.counting, 480), [479, 480, 500, 0], "raise 2, clear 4"],
    ["DO", aRule(AlertType.digitalOutput, 1), [0, 1, 0], "raise 2, clear 3"],
  ])("evaluates %s", (_name, rule, values, expected) => {
    const readings = values.map((value, index) => at(index + 1, value));
    expect(readAll(rule, readings).log.join(", ")).toBe(expected);
  });

  it("clears nothing on a reading outside the sensor's range", () => {
    const rule = aRule(AlertType.high, 8);
    expect(readAll(rule, [at(1, 9), at(2, 0, ReadingStatus.noData)]).log).toEqual(["raise 1"]);
  });
});

describe("a rule with delays", () => {
  const high = (more: Partial<Rule>) => aRule(AlertType.high, 8, more);
  it.each([
    ["is raised after the delay, at its end", high({ onDelay: 10 }), [at(1, 9), at(30, 9)], "raise 11"],
    ["is not raised by a shorter excursion", high({ onDelay: 10 }), [at(1, 9), at(10, 7), at(30, 9)], ""],
    ["takes the value before as in force", high({ onDelay: 10 }), [at(1, 9), at(40, 7)], "raise 11, clear 40"],
    ["begins again after a gap", high({ onDelay: 10 }), [at(1, 9), at(5, 7), at(8, 9), at(18, 9)], "raise 18"],
    [
      "is cleared after it was gone for long enough",
      high({ offDelay: 10 }),
      [at(1, 9), at(5, 7), at(30, 7)],
      "raise 1, clear 15",
    ],
    ["goes on after a shorter pause", high({ offDelay: 10 }), [at(1, 9), at(5, 7), at(9, 9), at(30, 7)], "raise 1"],
    [
      "is raised by the third occurrence in time",
      high({ times: 3, window: 20 }),
      [at(1, 9), at(2, 7), at(5, 9), at(6, 7), at(9, 9), at(10, 7)],
      "raise 9, clear 10",
    ],
    [
      "forgets occurrences that are too old",
      high({ times: 2, window: 20 }),
      [at(1, 9), at(2, 7), at(30, 9), at(31, 7), at(40, 9)],
      "raise 40",
    ],
    [
      "counts anew after it was raised",
      high({ times: 2, window: 99 }),
      [at(1, 9), at(2, 7), at(3, 9), at(4, 7), at(5, 9), at(6, 7)],
      "raise 3, clear 4",
    ],
    [
      "counts by the time at which it was due, not by when that was seen",
      high({ onDelay: 1, times: 2, window: 3 }),
      [at(47, 9), at(48, 7), at(49, 9), at(51, 9)],
      "raise 50",
    ],
    [
      "counts what has held for the delay only",
      high({ times: 2, window: 99, onDelay: 5 }),
      [at(1, 9), at(3, 7), at(10, 9), at(20, 7), at(30, 9), at(40, 9)],
      "raise 35",
    ],
  ])("%s", (_name, rule, readings, expected) => {
    expect(readAll(rule, readings).log.join(", ")).toBe(expected);
  });

  it("is raised by a timer where no reading comes, and cleared at its own start where a late one shows that it had ended", () => {
    const rule = high({ onDelay: 10 });
    const raised = pause(rule, readAll(rule, [at(1, 9)]), 11);
    expect(raised.log).toEqual(["raise 11"]);
    expect(read(rule, raised, at(5, 7)).log).toEqual(["raise 11", "clear 5"]);
  });

  it("is not raised again before the end that a timer has written", () => {
    const rule = high({ offDelay: 10 });
    const cleared = pause(rule, readAll(rule, [at(1, 9), at(5, 7)]), 20);
    expect(cleared.log).toEqual(["raise 1", "clear 15"]);
    const again = read(rule, cleared, at(8, 9));
    expect(again.log).toHaveLength(2);
    expect(pause(rule, again, 15).log).toEqual(["raise 1", "clear 15", "raise 15"]);
  });
});

fc.configureGlobal({ numRuns: 2000 });
const seconds = fc.integer({ min: 0, max: 12 });
const rules = fc
  .record({
    alarmType: fc.constantFrom(...Object.values(AlertType)),
    setpoint: fc.integer({ min: 0, max: 20 }),
    hysteresis: fc.integer({ min: 0, max: 5 }),
    onDelay: seconds,
    offDelay: seconds,
    times: fc.integer({ min: 1, max: 3 }),
    window: fc.integer({ min: 1, max: 40 }),
    condition: fc.constantFrom(
      AlarmCondition.limit,
      AlarmCondition.limit,
      AlarmCondition.rate,
      AlarmCondition.noChange,
      AlarmCondition.fault,
    ),
    leavesFaults: fc.boolean(),
  })
  .map(({ alarmType, setpoint, ...more }) => {
    // A rate is told by High and Low only; in these units of time a minute is 60,000.
    if (more.condition === AlarmCondition.rate)
      return aRule(setpoint % 2 ? AlertType.high : AlertType.low, (setpoint - 10) * 2000, { ...more, hysteresis: 500 });
    return aRule(alarmType, setpoint, more);
  });
const readings = fc.array(
  fc.record({
    ts: fc.integer({ min: 1, max: 90 }),
    value: fc.integer({ min: 0, max: 20 }),
    status: fc.constantFrom(1, 1, 1, 2),
  }),
  { maxLength: 60 },
);

/** The state as a new start finds it: what is kept, or what the open alert tells. */
const restarted = (run: Run): Run => {
  const { state, newest } = run;
  if (mustKeep(state, newest.ts)) return run;
  if (!state.isOpen) return { ...run, state: atRest };
  return { ...run, state: { ...atRest, isOpen: true, holds: true, isCounted: true, peak: state.peak } };
};

describe("whatever arrives in whatever order", () => {
  it("raises and clears in turn, one after the other", () => {
    fc.assert(
      fc.property(rules, readings, (rule, sequence) => {
        const { log } = readAll(rule, sequence);
        expect(log.map((line) => line.split(" ")[0])).toEqual(log.map((_, index) => (index % 2 ? "clear" : "raise")));
        const times = log.map((line) => Number(line.split(" ")[1]));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });

  it("gives the same alerts when every reading is delivered twice", () => {
    fc.assert(
      fc.property(rules, readings, (rule, sequence) => {
        const twice = sequence.flatMap((reading) => [reading, reading]);
        expect(readAll(rule, twice).log).toEqual(readAll(rule, sequence).log);
      }),
    );
  });

  it("gives the same alerts and peaks after a restart at any reading", () => {
    fc.assert(
      fc.property(rules, readings, (rule, sequence) => {
        let run = nothing;
        for (const reading of sequence) run = restarted(read(rule, run, reading));
        const live = readAll(rule, sequence);
        expect(run.log).toEqual(live.log);
        expect(run.state.peak).toEqual(live.state.peak);
      }),
    );
  });

  it("gives the same alerts whether timers or the next reading find them due", () => {
    fc.assert(
      fc.property(rules, readings, (rule, unordered) => {
        const sequence = unordered.toSorted((a, b) => a.ts - b.ts);
        let run = nothing;
        for (const [index, reading] of sequence.entries()) {
          run = read(rule, run, reading);
          const next = sequence[index + 1]?.ts ?? reading.ts;
          for (let now = reading.ts; now < next; now++) run = restarted(pause(rule, run, now));
        }
        expect(run.log).toEqual(readAll(rule, sequence).log);
      }),
    );
  });

  it("knows without evaluating it that a reading leaves a standing alert as it is", () => {
    fc.assert(
      fc.property(rules, readings, (rule, sequence) => {
        let run = nothing;
        for (const reading of sequence) {
          const before = run;
          run = read(rule, run, reading);
          if (isStanding(rule, before.state, reading)) expect([run.state, run.log]).toEqual([before.state, before.log]);
        }
      }),
    );
  });

  it("has nothing due that has passed", () => {
    fc.assert(
      fc.property(rules, readings, (rule, sequence) => {
        const { state, newest } = readAll(rule, sequence);
        expect(dueOf(rule, state) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(newest.ts);
      }),
    );
  });
});
