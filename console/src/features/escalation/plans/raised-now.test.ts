import { type NamedTarget, type OnCall, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { describe, expect, test } from "vitest";
import { raisedNow } from "./raised-now.ts";

const now = Date.parse("2026-11-20T14:32:00Z");
const minute = 60_000;
const user = (id: number, name: string, problem = ""): NamedTarget => ({ kind: TargetKind.account, id, name, problem });
const duty: NamedTarget = { kind: TargetKind.roster, id: 7, name: "Duty electrician", problem: "" };
const onCall = (from: number, to: number, accountId: number | null, name = ""): OnCall => ({
  ...{ from: new Date(now + from * minute), to: new Date(now + to * minute), accountId, name, insteadOf: null },
});
const mara = user(1, "Mara Okafor");
const shown = (...given: Parameters<typeof raisedNow>) =>
  raisedNow(...given).map(({ step, at, people }) => [step, at, people.map(({ name, isAgain }) => [name, isAgain])]);

describe("who would be notified of an alert that is raised now", () => {
  test("is who is on call at the time of the step, not now", () => {
    const roster = new Map([[7, [onCall(-60, 20, 2, "Tamas Varga"), onCall(20, 300, 3, "Sora Imai")]]]);
    expect(
      shown(
        [
          { after: 0, to: [duty, mara] },
          { after: 30, to: [duty] },
        ],
        roster,
        now,
      ),
    ).toEqual([
      [
        1,
        0,
        [
          ["Tamas Varga", false],
          ["Mara Okafor", false],
        ],
      ],
      [2, 30, [["Sora Imai", false]]],
    ]);
  });

  test("after a step that reaches nobody, the next ones come at its time, until one reaches somebody", () => {
    const roster = new Map([[7, [onCall(-60, 300, null)]]]);
    const steps = [
      { after: 5, to: [duty] },
      { after: 10, to: [user(4, "Iris Berg", "Has not joined yet")] },
      { after: 20, to: [mara] },
      { after: 30, to: [user(5, "Owen Bell")] },
    ];
    expect(shown(steps, roster, now)).toEqual([
      [1, 5, []],
      [2, 5, []],
      [3, 5, [["Mara Okafor", false]]],
      [4, 30, [["Owen Bell", false]]],
    ]);
  });

  test("is marked where an earlier step has notified them, by whatever name; within a step each is listed once", () => {
    const roster = new Map([[7, [onCall(-60, 300, 1, "Mara Okafor")]]]);
    expect(
      shown(
        [
          { after: 0, to: [mara, duty] },
          { after: 10, to: [duty] },
        ],
        roster,
        now,
      ),
    ).toEqual([
      [1, 0, [["Mara Okafor", false]]],
      [2, 10, [["Mara Okafor", true]]],
    ]);
  });
});
