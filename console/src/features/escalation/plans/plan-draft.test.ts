import {
  type NamedTarget,
  notifiesNobody,
  type Plan,
  TargetKind,
} from "@telltale/contract/domains/alerting/escalation";
import { describe, expect, test } from "vitest";
import { draftOf, errorsOf, fieldsOf, repeatedSteps, waitText, withStep } from "./plan-draft.ts";

const managers: NamedTarget = { kind: TargetKind.managers, id: 0, name: "Owner and admins", problem: "" };
const plan: Plan = {
  ...{ planId: 1, planName: "Pump station", isDefault: false, rules: 7, version: 3 },
  steps: [
    { after: 0, to: [managers] },
    { after: 10, to: [{ kind: TargetKind.roster, id: 4, name: "Duty", problem: "Nobody is on call now" }] },
  ],
  ...{ repeat: { every: 15, times: 6 }, backToNormal: true, backToNormalBySms: false },
};

describe("a plan that is edited", () => {
  test("is sent as it was while nothing is edited, ids only", () => {
    expect(fieldsOf(draftOf(plan))).toEqual({
      ...{ planName: "Pump station", repeat: { every: 15, times: 6 }, backToNormal: true, backToNormalBySms: false },
      steps: [
        { after: 0, to: [{ kind: TargetKind.managers, id: 0 }] },
        { after: 10, to: [{ kind: TargetKind.roster, id: 4 }] },
      ],
    });
    expect(errorsOf(draftOf(plan))).toEqual({});
  });

  test("says at its field what is wrong: blank figures are no 0", () => {
    const draft = draftOf(plan);
    const steps = draft.steps.map((step, at) => (at === 1 ? { ...step, after: " ", to: [] } : step));
    expect(errorsOf({ ...draft, planName: " ", steps, every: "2" })).toEqual({
      planName: "Name of the plan cannot be blank",
      "steps.1.after": "A step comes at most 1440 minutes after the alert",
      "steps.1.to": "Choose whom this step notifies",
      "repeat.every": "Repeat every 5 to 1440 minutes",
    });
    const early = draft.steps.map((step) => ({ ...step, after: "5" }));
    expect(errorsOf({ ...draft, steps: early })).toEqual({ steps: "Each step comes later than the one before" });
  });

  test("gets a step ten minutes after its last", () => {
    const { steps } = withStep(draftOf(plan));
    expect(steps.map(({ key, after, to }) => [key, after, to.length])).toEqual([
      [0, "0", 1],
      [1, "10", 1],
      [2, "20", 0],
    ]);
  });

  test.each([
    [1, "step 1"],
    [2, "step 2"],
    [3, "steps 2 and 3"],
    [5, "steps 2 to 5"],
  ])("of %i steps repeats %s", (steps, text) => expect(repeatedSteps(steps)).toBe(text));

  test.each([
    [0, "At once"],
    [90, "90 min"],
    [120, "2 h"],
  ])("%i minutes are %s", (minutes, text) => expect(waitText(minutes)).toBe(text));

  test("notifies nobody when each target has a problem", () => {
    expect(notifiesNobody(plan)).toBe(false);
    expect(notifiesNobody({ steps: plan.steps.slice(1) })).toBe(true);
  });
});
