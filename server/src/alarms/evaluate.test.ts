import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate, type Rule, type RuleState, type Transition } from "./evaluate.ts";

const aRule = (alarmType: number, setpoint: number, hysteresis = 0): Rule => ({
  key: "k",
  alarmClass: AlertClass.threshold,
  alarmType,
  alarmId: null,
  setpoint,
  hysteresis,
});
const closed: RuleState = { isOpen: false, ts: 0 };

const transitions = (rule: Rule, values: readonly number[]): (Transition | undefined)[] => {
  let state = closed;
  return values.map((value, at) => {
    const evaluated = evaluate(rule, state, { ts: at + 1, value, status: ReadingStatus.good });
    state = evaluated.state;
    return evaluated.transition;
  });
};

describe("evaluate", () => {
  it.each([
    [
      "High at its setpoint",
      aRule(AlertType.high, 8, 0.5),
      [7.99, 8, 7.5, 7.49],
      [undefined, "raise", undefined, "clear"],
    ],
    ["High without hysteresis", aRule(AlertType.high, 8), [8, 7.99], ["raise", "clear"]],
    [
      "Low at its setpoint",
      aRule(AlertType.low, 2, 0.5),
      [2.01, 2, 2.5, 2.51],
      [undefined, "raise", undefined, "clear"],
    ],
    ["DI at its level", aRule(AlertType.digitalInput, 1), [0, 1, 1, 0], [undefined, "raise", undefined, "clear"]],
    ["DI that is normally closed", aRule(AlertType.digitalInput, 0), [1, 0, 1], [undefined, "raise", "clear"]],
    ["Counting", aRule(AlertType.counting, 480), [479, 480, 500, 0], [undefined, "raise", undefined, "clear"]],
    ["DO", aRule(AlertType.digitalOutput, 1), [0, 1, 0], [undefined, "raise", "clear"]],
  ] as const)("evaluates %s", (_name, rule, values, expected) => {
    expect(transitions(rule, values)).toEqual(expected);
  });

  const readings = fc.array(
    fc.record({
      ts: fc.integer({ min: 1, max: 50 }),
      value: fc.integer({ min: 0, max: 20 }),
      status: fc.constantFrom(1, 2),
    }),
    { maxLength: 60 },
  );
  const rules = fc.record({
    alarmType: fc.constantFrom(...Object.values(AlertType)),
    setpoint: fc.integer({ min: 0, max: 20 }),
    hysteresis: fc.integer({ min: 0, max: 5 }),
  });

  it("raises and clears in turn, whatever arrives in whatever order", () => {
    fc.assert(
      fc.property(rules, readings, ({ alarmType, setpoint, hysteresis }, sequence) => {
        const rule = aRule(alarmType, setpoint, hysteresis);
        let state = closed;
        let expected: Transition = "raise";
        for (const reading of sequence) {
          const evaluated = evaluate(rule, state, reading);
          if (evaluated.transition) {
            expect(evaluated.transition).toBe(expected);
            expected = expected === "raise" ? "clear" : "raise";
          }
          state = evaluated.state;
        }
      }),
    );
  });

  it("gives the same transitions when every reading is delivered twice", () => {
    fc.assert(
      fc.property(rules, readings, ({ alarmType, setpoint, hysteresis }, sequence) => {
        const rule = aRule(alarmType, setpoint, hysteresis);
        const run = (all: typeof sequence) => {
          let state = closed;
          return all.flatMap((reading) => {
            const evaluated = evaluate(rule, state, reading);
            state = evaluated.state;
            return evaluated.transition ?? [];
          });
        };
        expect(run(sequence.flatMap((reading) => [reading, reading]))).toEqual(run(sequence));
      }),
    );
  });

  it("clears nothing on a reading outside the sensor's range", () => {
    const rule = aRule(AlertType.high, 8);
    expect(
      evaluate(rule, { isOpen: true, ts: 0 }, { ts: 1, value: 0, status: ReadingStatus.noData }).transition,
    ).toBeUndefined();
  });
});
