import type { Input } from "@telltale/contract/call/call";
import {
  type NamedTarget,
  type Plan,
  planBounds,
  plans,
  type Target,
} from "@telltale/contract/domains/alerting/escalation";
import { z } from "zod";

export type PlanFields = Input<typeof plans.add>;

/** A step as it is edited; `key` tells steps apart, `after` is minutes as typed. */
export interface DraftStep {
  key: number;
  after: string;
  to: readonly NamedTarget[];
}

/** A plan as it is edited; numbers are as typed. */
export interface PlanDraft {
  planName: string;
  steps: readonly DraftStep[];
  repeats: boolean;
  every: string;
  times: string;
  backToNormal: boolean;
  backToNormalBySms: boolean;
}

/** The plan to edit; without one, a new plan with one empty step at once. */
export const draftOf = (plan: Plan | undefined): PlanDraft => ({
  planName: plan?.planName ?? "",
  steps: plan?.steps.map(({ after, to }, key) => ({ key, after: String(after), to })) ?? [
    { key: 0, after: "0", to: [] },
  ],
  repeats: plan !== undefined && plan.repeat !== null,
  every: String(plan?.repeat?.every ?? 15),
  times: String(plan?.repeat?.times ?? 3),
  backToNormal: plan?.backToNormal ?? true,
  backToNormalBySms: plan?.backToNormalBySms ?? false,
});

const sameTarget = (one: Target, other: Target): boolean => one.kind === other.kind && one.id === other.id;

/** Whether a step names the target. */
export const names = (step: DraftStep, target: Target): boolean => step.to.some((each) => sameTarget(each, target));

/** The step with one target more. */
export const withTarget = (step: DraftStep, target: NamedTarget): DraftStep =>
  names(step, target) ? step : { ...step, to: [...step.to, target] };

/** The step without a target. */
export const withoutTarget = (step: DraftStep, target: Target): DraftStep => ({
  ...step,
  to: step.to.filter((each) => !sameTarget(each, target)),
});

/** The draft with a step more, ten minutes after its last. */
export const withStep = (draft: PlanDraft): PlanDraft => {
  const last = draft.steps.at(-1);
  const after = last ? Math.min(Number(last.after) + 10, planBounds.longestWait) : 0;
  const key = Math.max(-1, ...draft.steps.map((step) => step.key)) + 1;
  return { ...draft, steps: [...draft.steps, { key, after: String(after), to: [] }] };
};

const figure = (typed: string): number => (typed.trim() === "" ? Number.NaN : Number(typed));

/** The draft as a save sends it. */
export const fieldsOf = (draft: PlanDraft): PlanFields => ({
  planName: draft.planName,
  steps: draft.steps.map(({ after, to }) => ({ after: figure(after), to: to.map(({ kind, id }) => ({ kind, id })) })),
  repeat: draft.repeats ? { every: figure(draft.every), times: figure(draft.times) } : null,
  backToNormal: draft.backToNormal,
  backToNormalBySms: draft.backToNormal && draft.backToNormalBySms,
});

/** Errors by the field's path, such as `steps.1.after`; those of a list as a whole stand at `steps`. */
export type PlanErrors = Readonly<Record<string, string>>;

/** What the plan's declaration says about the draft; no errors when it can be saved. */
export const errorsOf = (draft: PlanDraft): PlanErrors => {
  const { error } = z.safeParse(plans.add.body as z.ZodType, fieldsOf(draft));
  const errors: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) errors[path.slice(0, 3).join(".")] ??= message;
  return errors;
};

/** `At once`, `10 min`, `2 h` */
export const waitText = (minutes: number): string => {
  if (minutes === 0) return "At once";
  return minutes >= 120 && minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
};

/** Which steps a plan of so many repeats: the steps after the first, a single step itself. */
export const repeatedSteps = (steps: number): string => {
  if (steps <= 2) return `step ${steps}`;
  return steps === 3 ? "steps 2 and 3" : `steps 2 to ${steps}`;
};
