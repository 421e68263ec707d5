import { JointEnding, type OutputLevel, oppositeLevel, outputLevelLabels } from "@telltale/contract/domains/joint";

/** An enabled rule as needed for settling. */
export interface EnabledRule {
  jointId: number;
  level: OutputLevel;
  ending: JointEnding;
  /** Whether its alert was open at the last settling, and whether it is now. */
  wasActive: boolean;
  holds: boolean;
  /** Its alert has opened since, even if it has ended again. */
  isRaised: boolean;
}

/** The level to send to an output, and the rule that demands it. */
export interface RequiredLevel {
  level: OutputLevel;
  jointId: number;
}

/**
 * The level that the enabled rules of one output demand; they agree on level and ending. Undefined when the output stays as last commanded (`commanded`, 0
 * before the first time). An alert that opened and ended between two settlings counts only if the output stays driven.
 */
export const requiredLevel = (rules: readonly EnabledRule[], commanded: number): RequiredLevel | undefined => {
  const [first] = rules;
  if (!first) return undefined;
  const holding = rules.filter((rule) => rule.holds);
  const fired = first.ending === JointEnding.stay ? rules.filter((rule) => rule.isRaised) : [];
  const cause = holding.find((rule) => !rule.wasActive) ?? holding[0] ?? fired[0];
  const ended = rules.find((rule) => rule.wasActive && !rule.holds) ?? first;
  if (!cause && first.ending === JointEnding.stay) return undefined;
  const wanted = cause
    ? { level: cause.level, jointId: cause.jointId }
    : { level: oppositeLevel(first.level), jointId: ended.jointId };
  return wanted.level === commanded ? undefined : wanted;
};

/** Another rule, as needed for conflicts. */
export interface OtherRule {
  jointId: number;
  name: string;
  /** Channel ids. */
  source: number;
  output: number;
  level: OutputLevel;
  ending: JointEnding;
}

type Drive = Pick<OtherRule, "source" | "output" | "level" | "ending">;

const endings: Readonly<Record<JointEnding, string>> = {
  [JointEnding.back]: "goes back",
  [JointEnding.stay]: "stays",
};

/** Why the rule cannot be enabled beside those that drive the same output: they contradict each other. */
const contradiction = (rule: Drive, others: readonly OtherRule[]): string | undefined => {
  const same = others.filter(({ output }) => output === rule.output);
  const level = same.find((other) => other.level !== rule.level);
  if (level)
    return `“${level.name}” drives this output ${outputLevelLabels[level.level]} already. Two joint controls can't drive it to different levels`;
  const ending = same.find((other) => other.ending !== rule.ending);
  return (
    ending &&
    `With “${ending.name}” this output ${endings[ending.ending]} when the condition ends. Choose the same here, or disable the other`
  );
};

/** Why the rule cannot be enabled: its output triggers it again, directly or through other rules. */
const selfTrigger = ({ source, output }: Drive, others: readonly OtherRule[]): string | undefined => {
  if (source === output) return "An output can't be driven by an alert of its own";
  const reached = new Set([output]);
  for (const channel of reached) {
    for (const other of others) {
      if (other.source !== channel) continue;
      if (other.output === source) return `This joint control would trigger itself through “${other.name}”`;
      reached.add(other.output);
    }
  }
  return undefined;
};

/** Why the rule cannot be enabled beside the plant's other enabled ones; undefined when it can. */
export const enableError = (rule: Drive, others: readonly OtherRule[]): string | undefined =>
  selfTrigger(rule, others) ?? contradiction(rule, others);

/** Delay before an unanswered command is sent again, milliseconds; doubles each time. */
export const resendDelay = (tries: number): number => Math.min(1_000 * 2 ** tries, 60_000);
