import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { AlertPriority } from "../alerts.ts";
import { WindowPlan, windowErrors, windowFields } from "./maintenance.ts";

/** Why nobody is notified of alerts. */
export const SilenceKind = {
  shelf: 1,
  outOfService: 2,
  /** A maintenance window of devices. */
  maintenance: 3,
  /** A sub-device's offline alert while its master is silent; made and ended by the server. */
  silentMaster: 4,
} as const;
export type SilenceKind = (typeof SilenceKind)[keyof typeof SilenceKind];
export const silenceKindLabels: Record<SilenceKind, string> = {
  1: "Shelf",
  2: "Out of service",
  3: "Maintenance",
  4: "Silent master",
};
/** The kinds that silence one rule. */
export type RuleSilenceKind = typeof SilenceKind.shelf | typeof SilenceKind.outOfService;

/** Bounds of a silence, in minutes. */
export const silenceBounds = { shortest: 15, shelf: 24 * 60, urgentShelf: 8 * 60, outOfService: 90 * 24 * 60 } as const;

/** Longest reason of a silence. */
export const longestReason = 200;

/** The longest silence of a kind, in minutes, of alerts of this priority. */
export const longestSilence = (kind: RuleSilenceKind, priority: AlertPriority): number => {
  if (kind === SilenceKind.outOfService) return silenceBounds.outOfService;
  return priority === AlertPriority.high ? silenceBounds.urgentShelf : silenceBounds.shelf;
};

/** A rule or devices whose alerts nobody is notified of until the end. */
export const Silence = z.object({
  silenceId: z.int(),
  kind: z.literal([SilenceKind.shelf, SilenceKind.outOfService, SilenceKind.maintenance]),
  /** Name of the rule, or of the channel or device where no person named one; or of the window. */
  alarmName: z.string(),
  /** Null of a maintenance window. */
  priority: z.enum(AlertPriority).nullable(),
  /** The rule's device; the window's devices in the account's scope. */
  devices: z.array(z.object({ deviceId: z.int(), deviceName: z.string(), deviceSnId: z.string() })),
  reason: z.string(),
  byName: z.string().nullable(),
  createdTime: wire.time(),
  /** A maintenance window that has not begun begins then; of one that repeats, the occurrence of now, or the next. */
  startTime: wire.time(),
  endTime: wire.time(),
  /** When a maintenance window occurs; null of the others. */
  plan: WindowPlan.nullable(),
  /** The alert that stands meanwhile; null when none does, and of a maintenance window. */
  alarmLogId: z.int().nullable(),
  version: z.int(),
});
export type Silence = z.output<typeof Silence>;

const minutes = wire
  .intBetween(silenceBounds.shortest, silenceBounds.outOfService, "Choose a time of 15 minutes to 90 days")
  .optional();
const reason = z
  .string({ error: "Enter a reason" })
  .trim()
  .min(1, "Enter a reason")
  .max(longestReason, `A reason has at most ${longestReason} characters`);

const ruleKinds: readonly unknown[] = [SilenceKind.shelf, SilenceKind.outOfService];

/** Adds to a body what its kind of silence must have; a change is of a window when it says how that repeats. */
const demanding = <T extends z.ZodObject>(body: T): T =>
  body.superRefine(
    (given, { addIssue }) => {
      const wrong = (path: string, message: string) => addIssue({ code: "custom", path: [path], message });
      const isAdded = "kind" in body.shape;
      if (isAdded ? given.kind === SilenceKind.maintenance : given.repeat !== undefined) {
        for (const [path, message] of windowErrors(given as Parameters<typeof windowErrors>[0])) wrong(path, message);
        return;
      }
      if (!isAdded || !ruleKinds.includes(given.kind)) return;
      if (given.alarmLogId === undefined) wrong("alarmLogId", "Choose an alert");
      if (given.minutes === undefined) wrong("minutes", "Choose a time of 15 minutes to 90 days");
    },
    // Runs even when other fields are invalid, so that all errors are shown together.
    { when: ({ value }) => typeof value === "object" && value !== null },
  ) as T;

/** Silences: whom alerts are not sent to, and until when. What is recorded does not change. */
export const silences = {
  add: post("/api/alarm/silence/add", {
    access: "alerts.silence",
    summary:
      "Silences the rule of an alert for a time: a shelf (at most a day, P1 at most 8 hours), or out of service (at most 90 days, not for installers); or plans a maintenance window of devices (at most 72 hours each, not for installers)",
    body: demanding(
      z.object({
        kind: wire.oneOf(
          wire.only(SilenceKind, [SilenceKind.shelf, SilenceKind.outOfService, SilenceKind.maintenance]),
          "Choose a shelf, out of service or a window",
        ),
        reason,
        alarmLogId: wire.int().optional(),
        minutes,
        ...windowFields,
      }),
    ),
    result: z.object({ silenceId: z.int() }),
  }),
  update: post("/api/alarm/silence/update", {
    access: "alerts.silence",
    summary:
      "Changes the end, as minutes from now, and the reason of a silence that holds; or devices, times and reason of a maintenance window",
    body: demanding(
      z.object({ silenceId: wire.int(), reason, minutes, ...windowFields, version: wire.int().optional() }),
    ),
    result: z.null(),
  }),
  end: post("/api/alarm/silence/end", {
    access: "alerts.silence",
    summary:
      "Ends a silence; nobody is notified of what stands. A maintenance window that repeats ends for good, or with `occurrence` only the time of now",
    body: z.object({
      silenceId: wire.int(),
      occurrence: wire.oneOf([0, 1], "Send 1 to end the occurrence of now only").default(0),
      version: wire.int().optional(),
    }),
    result: z.null(),
  }),
  list: get("/api/alarm/silence/list", {
    access: "alerts.read",
    summary: "Silences that hold, and maintenance windows that are to come, the next to end first",
    result: z.array(Silence),
  }),
};
