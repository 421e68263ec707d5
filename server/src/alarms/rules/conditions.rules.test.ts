import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce, atRest, type Reading, type Rule, type RuleState, step } from "../evaluate.ts";
import { arrive, miss, waiting } from "./arrivals.rules.ts";

const minute = 60_000;
const aRule = (condition: AlarmCondition, more: Partial<Rule> = {}): Rule => ({
  key: "k",
  alarmClass: AlertClass.custom,
  alarmType: AlertType.high,
  alarmId: 1,
  setpoint: 0,
  hysteresis: 0,
  ...atOnce,
  condition,
  ...more,
});
const { noData } = ReadingStatus;

/** The transitions of a rule on readings [minutes, value, status]. */
const log = (rule: Rule, readings: readonly (readonly [number, number, number?])[]): string[] => {
  let state: RuleState = atRest;
  let newest: Reading = { ts: Number.NEGATIVE_INFINITY, value: 0, status: noData };
  return readings.flatMap(([at, value, status = ReadingStatus.good]) => {
    const reading = { ts: at * minute, value, status };
    const outcome = step(rule, state, newest, reading);
    if (reading.ts > newest.ts) newest = reading;
    state = outcome.state;
    return outcome.transitions.map((each) => `${each.kind} ${each.at / minute}: ${each.value}`);
  });
};

describe("a rate", () => {
  const rises = aRule(AlarmCondition.rate, { setpoint: 5, hysteresis: 1, window: 2 * minute });
  it.each([
    [
      "is known after a window only",
      rises,
      [
        [0, 0],
        [1, 90],
      ],
      [],
    ],
    [
      "is over the window",
      rises,
      [
        [0, 0],
        [1, 4],
        [2, 10],
        [3, 14],
      ],
      ["raise 2: 5"],
    ],
    [
      "ends behind the hysteresis",
      rises,
      [
        [0, 0],
        [2, 10],
        [3, 14],
        [4, 18],
        [5, 21.9],
      ],
      ["raise 2: 5", "clear 5: 3.95"],
    ],
    [
      "is over a longer time where a reading is missing",
      rises,
      [
        [0, 0],
        [5, 24],
        [10, 49],
      ],
      ["raise 10: 5"],
    ],
    [
      "goes on over a reading beyond the sensor's range",
      rises,
      [
        [0, 0],
        [2, 10],
        [3, 99, noData],
        [4, 14],
      ],
      ["raise 2: 5", "clear 4: 2"],
    ],
    [
      "falls",
      aRule(AlarmCondition.rate, { setpoint: -5, alarmType: AlertType.low, window: minute }),
      [
        [0, 20],
        [1, 16],
        [2, 10],
        [3, 6],
      ],
      ["raise 2: -6", "clear 3: -4"],
    ],
    [
      "holds for its delay, and has the value with which it began",
      { ...rises, onDelay: 2 * minute },
      [
        [0, 0],
        [2, 12],
        [3, 20],
        [4, 26],
      ],
      ["raise 4: 6"],
    ],
  ] as [string, Rule, [number, number, number?][], string[]][])("%s", (_name, rule, readings, expected) => {
    expect(log(rule, readings)).toEqual(expected);
  });

  it("remembers a bounded number of readings", () => {
    const rule = { ...rises, window: 60 * minute };
    let state: RuleState = atRest;
    let newest: Reading = { ts: 0, value: 0, status: noData };
    for (let at = 1; at < 10_000; at++) {
      const reading = { ts: at * 5000, value: at % 7, status: ReadingStatus.good };
      state = step(rule, state, newest, reading).state;
      newest = reading;
      expect(state.memory?.samples?.length ?? 0).toBeLessThanOrEqual(13);
    }
  });
});

describe("no change", () => {
  const rule = aRule(AlarmCondition.noChange, { hysteresis: 1, window: 10 * minute, alarmType: AlertType.system });
  it.each([
    [
      "is raised by the reading that has stayed for the window",
      rule,
      [
        [0, 5],
        [4, 6],
        [9, 4],
        [10, 5],
      ],
      ["raise 10: 5"],
    ],
    [
      "counts from the reading that changed",
      rule,
      [
        [0, 5],
        [9, 7],
        [10, 7],
        [18, 7],
        [19, 8],
      ],
      ["raise 19: 8"],
    ],
    [
      "ends by a change",
      rule,
      [
        [0, 5],
        [10, 5],
        [11, 6.1],
      ],
      ["raise 10: 5", "clear 11: 6.1"],
    ],
    [
      "is neither begun nor ended beyond the sensor's range",
      rule,
      [
        [0, 5],
        [5, 99, noData],
        [10, 5],
        [11, 99, noData],
      ],
      ["raise 10: 5"],
    ],
    [
      "starts with the first good reading",
      rule,
      [
        [0, 5, noData],
        [10, 5],
        [19, 5],
        [20, 5],
      ],
      ["raise 20: 5"],
    ],
  ] as [string, Rule, [number, number, number?][], string[]][])("%s", (_name, each, readings, expected) => {
    expect(log(each, readings)).toEqual(expected);
  });
  it("remembers nothing of a value that changes", () => {
    let state: RuleState = atRest;
    let newest: Reading = { ts: 0, value: 0, status: ReadingStatus.good };
    for (let at = 1; at < 100; at++) {
      const reading = { ts: at * 5000, value: (at % 2) * 10, status: ReadingStatus.good };
      state = step(rule, state, newest, reading).state;
      newest = reading;
      expect(state).toEqual(atRest);
    }
  });
});

describe("a sensor fault", () => {
  it("stands while readings are beyond the range, after its delay", () => {
    const rule = aRule(AlarmCondition.fault, { onDelay: 2 * minute });
    const readings = [
      [0, 5],
      [1, 99, noData],
      [2, 5],
      [3, 99, noData],
      [4, 98, noData],
      [6, 98, noData],
      [7, 5],
    ] as const;
    expect(log(rule, readings)).toEqual(["raise 5: 98", "clear 7: 5"]);
  });
});

describe("missing data", () => {
  const rule = aRule(AlarmCondition.noData, { window: 10 * minute });
  const steps = fc.array(
    fc.record({ kind: fc.constantFrom("reading", "heard", "look", "look"), pause: fc.integer({ min: 0, max: 9 }) }),
    { maxLength: 80 },
  );

  /** Runs the steps; returns the transitions, and each gap between readings in which the device was heard after the window. */
  const run = (sequence: { kind: string; pause: number }[], restarts: boolean) => {
    let [now, arrived, heard] = [0, 0, 0];
    let state = waiting(0);
    const transitions: string[] = [];
    for (const { kind, pause } of sequence) {
      now += pause * minute;
      if (kind === "reading") [arrived, heard] = [now, now];
      if (kind === "heard") heard = now;
      const outcome = kind === "reading" ? arrive(state, now) : miss(rule, state, { arrived, heard, now });
      if (kind !== "heard") state = outcome.state;
      if (kind !== "heard") transitions.push(...outcome.transitions.map((each) => `${each.kind} ${each.at / minute}`));
      if (kind !== "heard" && outcome.transitions[0]?.kind === "raise") {
        expect(heard).toBeGreaterThanOrEqual(arrived + rule.window);
        expect(outcome.transitions[0].at).toBe(arrived + rule.window);
      }
      // What is kept of it, as a start loads it.
      if (restarts && state.isOpen) state = { ...atRest, isOpen: true, holds: true, isCounted: true };
    }
    return transitions;
  };

  it("is raised and cleared in turn, never without proof that the device lives, and the same after restarts", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const transitions = run(sequence, false);
        expect(transitions.map((line) => line.split(" ")[0])).toEqual(
          transitions.map((_, index) => (index % 2 ? "clear" : "raise")),
        );
        const times = transitions.map((line) => Number(line.split(" ")[1]));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(run(sequence, true)).toEqual(transitions);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps nothing anew for readings that come in time", () => {
    const state = waiting(0);
    expect(arrive(state, 5 * minute).state).toBe(state);
  });
});
