import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { namedField } from "../../text/text-fields.ts";
import { isTimeZone } from "../people/person-fields.ts";

/** What a step of a plan notifies. `managers`: the owner and the admins, whoever they are then. */
export const TargetKind = { managers: 1, account: 2, contact: 3, roster: 4, webhook: 5 } as const;
export type TargetKind = (typeof TargetKind)[keyof typeof TargetKind];

/** Bounds of a plan; times are minutes. */
export const planBounds = {
  steps: 5,
  targets: 20,
  longestWait: 1440,
  shortestRepeat: 5,
  longestRepeat: 1440,
  mostRepeats: 12,
} as const;

const targetKinds = Object.values(TargetKind);

/** Of `managers` the id is 0. */
const Target = z.object({
  kind: z.literal(targetKinds, { error: "Choose a user, a contact, a roster or a webhook" }),
  id: z.int32(),
});
export type Target = z.output<typeof Target>;

const { longestWait, steps: mostSteps, targets: mostTargets, shortestRepeat, longestRepeat, mostRepeats } = planBounds;
const waitError = `A step comes at most ${longestWait} minutes after the alert`;
const stepsError = `A plan has 1 to ${mostSteps} steps`;
const repeatError = `Repeat every ${shortestRepeat} to ${longestRepeat} minutes`;
const timesError = `Repeat 1 to ${mostRepeats} times`;

const Step = z.object({
  /** Minutes after the alert was raised. */
  after: z.int({ error: waitError }).min(0, waitError).max(longestWait, waitError),
  to: z
    .array(Target, { error: "Choose whom this step notifies" })
    .min(1, "Choose whom this step notifies")
    .max(mostTargets, `A step notifies at most ${mostTargets}`)
    .refine((to) => new Set(to.map(({ kind, id }) => `${kind}:${id}`)).size === to.length, {
      error: "A step names each of them once",
    }),
});
export type Step = z.output<typeof Step>;

/** How a plan goes on after its last step: the steps after the first once more (a single step itself), every so many minutes. */
const Repeat = z.object({
  every: z.int({ error: repeatError }).min(shortestRepeat, repeatError).max(longestRepeat, repeatError),
  times: z.int({ error: timesError }).min(1, timesError).max(mostRepeats, timesError),
});

const planFields = {
  planName: namedField("Name of the plan cannot be blank"),
  steps: z
    .array(Step, { error: stepsError })
    .min(1, stepsError)
    .max(mostSteps, stepsError)
    .refine((steps) => steps.every(({ after }, at) => after > (steps[at - 1]?.after ?? -1)), {
      error: "Each step comes later than the one before",
    }),
  repeat: Repeat.nullable(),
  /** Whoever was notified of an alert is notified when it clears, and by SMS too. */
  backToNormal: z.boolean({ error: "Choose whether to notify when it clears" }),
  backToNormalBySms: z.boolean({ error: "Choose whether to send an SMS when it clears" }),
};

/** A target with the name that screens show, and why it notifies nobody now; empty when it does. */
const NamedTarget = Target.extend({ name: z.string(), problem: z.string() });
export type NamedTarget = z.output<typeof NamedTarget>;

/** A ladder of steps that notify, one after the other, until somebody confirms the alert or it clears. */
export const Plan = z.object({
  planId: z.int(),
  ...planFields,
  steps: z.array(Step.extend({ to: z.array(NamedTarget) })),
  /** The plan of every alert whose rule names no other. A plant has exactly one. */
  isDefault: z.boolean(),
  /** Rules that name it. */
  rules: z.int(),
  version: z.int(),
});
export type Plan = z.output<typeof Plan>;

/** Whether a plan notifies nobody now. */
export const notifiesNobody = ({ steps }: Pick<Plan, "steps">): boolean =>
  steps.every(({ to }) => to.every(({ problem }) => problem !== ""));

/** Bounds of rosters: how many a plant has, of each the shifts and the exceptions that have not ended; `longestDays` are those of an exception, and of a time that is asked for. */
export const rosterBounds = { rosters: 20, shifts: 50, longestDays: 62, swaps: 50 } as const;

const minutesOfDay = 1440;
const timeError = "Enter the times of the shift";

const Shift = z.object({
  /** Days on which it begins, 1 is Monday. */
  days: z
    .array(z.int().min(1).max(7), { error: "Choose the days of the shift" })
    .min(1, "Choose the days of the shift")
    .max(7, "Choose the days of the shift"),
  /** Minutes of the local day; it ends on the next day when `to` is not after `from`. */
  from: z
    .int({ error: timeError })
    .min(0, timeError)
    .max(minutesOfDay - 1, timeError),
  to: z.int({ error: timeError }).min(0, timeError).max(minutesOfDay, timeError),
  accountId: z.int32({ error: "Choose who is on call" }),
});
export type Shift = z.output<typeof Shift>;

const zoneError = "Choose a time zone";

const rosterFields = {
  rosterName: namedField("Name of the roster cannot be blank"),
  timeZoneId: z.string({ error: zoneError }).max(64, zoneError).refine(isTimeZone, { error: zoneError }),
  shifts: z
    .array(Shift, { error: "Add a shift" })
    .max(rosterBounds.shifts, `A roster has at most ${rosterBounds.shifts} shifts`),
};

/** Somebody takes the roster for a time, whatever its shifts say. */
const Swap = z.object({
  swapId: z.int(),
  accountId: z.int(),
  name: z.string(),
  /** Whose shifts it replaced when it was made; empty when it fills a gap. */
  insteadOf: z.string(),
  from: wire.time(),
  to: wire.time(),
  /** Whether the caller may take it back. */
  mayEnd: z.boolean(),
});
export type Swap = z.output<typeof Swap>;

/** Who is on call by the week: shifts that repeat, and the exceptions to them. */
export const Roster = z.object({
  rosterId: z.int(),
  ...rosterFields,
  swaps: z.array(Swap),
  version: z.int(),
});
export type Roster = z.output<typeof Roster>;

/** A time on call; `accountId` is null in a gap. */
export const OnCall = z.object({
  from: wire.time(),
  to: wire.time(),
  accountId: z.int().nullable(),
  name: z.string(),
  /** Whose shift it would be, when somebody else has taken it. */
  insteadOf: z.string().nullable(),
});
export type OnCall = z.output<typeof OnCall>;

const version = z.int32().optional();

/** Plans: who is notified of an alert, step by step, until somebody confirms it. */
export const plans = {
  list: get("/api/alarm/plan/list", {
    access: "escalation.read",
    summary: "The plant's escalation plans, the default first",
    result: z.array(Plan),
  }),
  add: post("/api/alarm/plan/add", {
    access: "plans.write",
    summary: "Creates an escalation plan",
    encoding: "json",
    body: z.object(planFields),
    result: z.object({ planId: z.int() }),
  }),
  update: post("/api/alarm/plan/update", {
    access: "plans.write",
    summary: "Updates an escalation plan; alerts that wait go on by the new steps",
    encoding: "json",
    body: z.object({ planId: z.int32(), ...planFields, version }),
    result: z.null(),
  }),
  makeDefault: post("/api/alarm/plan/default", {
    access: "plans.write",
    summary: "Makes a plan the default of the plant",
    encoding: "json",
    body: z.object({ planId: z.int32() }),
    result: z.null(),
  }),
  remove: post("/api/alarm/plan/delete", {
    access: "plans.write",
    summary: "Deletes an escalation plan; its rules follow the default then. The default itself stays",
    encoding: "json",
    body: z.object({ planId: z.int32() }),
    result: z.null(),
  }),
  people: get("/api/alarm/plan/people", {
    access: "escalation.read",
    summary: "Users, contacts and rosters that a plan can notify",
    result: z.array(NamedTarget),
  }),
};

/** Rosters: who is on call, by the week. */
export const rosters = {
  list: get("/api/alarm/roster/list", {
    access: "escalation.read",
    summary: "The plant's rosters with their shifts and coming exceptions",
    result: z.array(Roster),
  }),
  onCall: get("/api/alarm/roster/onCall", {
    access: "escalation.read",
    summary: "Who is on call between two times, at most 62 days, with the gaps",
    query: z.object({ rosterId: wire.int(), from: wire.rangeStart(), to: wire.rangeStart() }),
    result: z.array(OnCall),
  }),
  add: post("/api/alarm/roster/add", {
    access: "rosters.write",
    summary: "Creates a roster",
    encoding: "json",
    body: z.object(rosterFields),
    result: z.object({ rosterId: z.int() }),
  }),
  update: post("/api/alarm/roster/update", {
    access: "rosters.write",
    summary: "Updates a roster",
    encoding: "json",
    body: z.object({ rosterId: z.int32(), ...rosterFields, version }),
    result: z.null(),
  }),
  remove: post("/api/alarm/roster/delete", {
    access: "rosters.write",
    summary: "Deletes a roster; refused while a plan notifies it",
    encoding: "json",
    body: z.object({ rosterId: z.int32() }),
    result: z.null(),
  }),
  swap: post("/api/alarm/roster/swap", {
    access: "rosters.swap",
    summary: "Somebody takes the roster for a time, at most 62 days; an installer swaps only their own shifts",
    encoding: "json",
    body: z.object({
      rosterId: z.int32(),
      accountId: z.int32({ error: "Choose who takes the shift" }),
      from: wire.rangeStart(),
      to: wire.rangeStart(),
    }),
    result: z.object({ swapId: z.int() }),
  }),
  endSwap: post("/api/alarm/roster/endSwap", {
    access: "rosters.swap",
    summary: "Takes an exception back; an installer only one of their own shifts",
    encoding: "json",
    body: z.object({ swapId: z.int32() }),
    result: z.null(),
  }),
};
