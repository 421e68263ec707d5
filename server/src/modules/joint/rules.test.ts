import { JointEnding, OutputLevel } from "@telltale/contract/domains/joint";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EnabledRule, enableError, type OtherRule, requiredLevel } from "./rules.ts";

const aRule = (more: Partial<EnabledRule> = {}): EnabledRule => ({
  jointId: 1,
  level: 1,
  ending: JointEnding.back,
  wasActive: false,
  holds: false,
  isRaised: false,
  ...more,
});

describe("the level demanded of an output", () => {
  it.each([
    ["nothing while nothing happens", [aRule()], 0, undefined],
    ["its level when the alert opens", [aRule({ holds: true, isRaised: true })], 0, { level: 1, jointId: 1 }],
    ["nothing twice", [aRule({ wasActive: true, holds: true })], 1, undefined],
    ["the other level when the alert ends", [aRule({ wasActive: true })], 1, { level: 0, jointId: 1 }],
    ["nothing at the end where it stays", [aRule({ ending: JointEnding.stay, wasActive: true })], 1, undefined],
    ["nothing of what came and went", [aRule({ isRaised: true })], 0, undefined],
    [
      "what came and went where it stays",
      [aRule({ ending: JointEnding.stay, isRaised: true })],
      0,
      { level: 1, jointId: 1 },
    ],
    ["ON at first by a rule that drives OFF", [aRule({ level: 0 })], 0, { level: 1, jointId: 1 }],
    ["OFF when that one holds", [aRule({ level: 0, holds: true })], 1, { level: 0, jointId: 1 }],
    [
      "nothing when one ends and another holds",
      [aRule({ wasActive: true }), aRule({ jointId: 2, wasActive: true, holds: true })],
      1,
      undefined,
    ],
  ] as const)("%s", (_name, rules, commanded, expected) => expect(requiredLevel(rules, commanded)).toEqual(expected));

  it("is its level whenever a rule holds, the other when none does and all go back, whatever was sent before", () => {
    const states = fc.array(fc.record({ wasActive: fc.boolean(), holds: fc.boolean(), isRaised: fc.boolean() }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(states, fc.constantFrom(0, 1), fc.constantFrom(0, 1), (given, level, commanded) => {
        const rules = given.map((state, jointId) => aRule({ ...state, jointId, level }));
        const now = requiredLevel(rules, commanded)?.level ?? commanded;
        expect(now).toBe(rules.some((rule) => rule.holds) ? level : 1 - level);
      }),
    );
  });
});

const another = (more: Partial<OtherRule>): OtherRule => ({
  jointId: 9,
  name: "Siren",
  source: 50,
  output: 2,
  level: 1,
  ending: JointEnding.back,
  ...more,
});

describe("a rule that is enabled", () => {
  const rule = { source: 1, output: 2, level: OutputLevel.on, ending: JointEnding.back };
  it.each([
    ["may share its output with one that wants the same", [another({})], undefined],
    ["may not pull it to another level", [another({ level: 0 })], "“Siren” drives this output OFF already"],
    ["may not end it another way", [another({ ending: JointEnding.stay })], "With “Siren” this output stays"],
    [
      "may not trigger itself through others",
      [another({ source: 2, output: 3 }), another({ source: 3, output: 1 })],
      "would trigger itself",
    ],
    ["may have a chain behind it", [another({ source: 2, output: 3 })], undefined],
  ] as const)("%s", (_name, others, validationError) => {
    const error = enableError(rule, others);
    if (validationError === undefined) expect(error).toBeUndefined();
    else expect(error).toContain(validationError);
  });

  it("may not be triggered by its own output", () => {
    expect(enableError({ ...rule, source: 2 }, [])).toBe("An output can't be driven by an alert of its own");
  });
});
