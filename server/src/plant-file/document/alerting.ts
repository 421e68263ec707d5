import { planBounds } from "@telltale/contract/domains/alerting/escalation";
import { longestReason } from "@telltale/contract/domains/alerting/silences";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { z } from "zod";
import {
  alertReference,
  alertTypeWords,
  channelReference,
  classWords,
  conditionWords,
  contactReference,
  deviceReference,
  endingWords,
  formatWords,
  gateWords,
  levelWords,
  limitWords,
  name,
  priorityWords,
  repeatWords,
  seconds,
  timeOfDay,
  userReference,
  weekdayWords,
  words,
} from "./words.ts";

/** Fields of an alert of any class. */
const ofAnyAlert = {
  priority: words(priorityWords).optional(),
  response: z.string().optional().describe("What to do when it is raised"),
  enabled: z.boolean().optional(),
  plan: z.string().nullable().optional().describe("Its escalation plan, under `plans`; null: the plant's default"),
};

const CustomAlert = z
  .strictObject({
    class: z.literal("custom").optional(),
    channel: z.string().describe("Code of the device's channel"),
    condition: words(conditionWords).optional().describe("What it looks at; `limit` unless said otherwise"),
    type: words(alertTypeWords).optional().describe("Whether it is raised above or below the value"),
    value: z.number().optional().describe("In the channel's unit; of a rate, that in a minute"),
    hysteresis: z.number().min(0, "it cannot be negative").optional(),
    ...ofAnyAlert,
    onDelay: seconds.optional().describe("Seconds for which the condition must hold"),
    offDelay: seconds.optional().describe("Seconds for which the condition must be gone before it clears"),
    times: z.int().optional().describe("How often it must occur within `window`"),
    window: seconds.optional().describe("Seconds that the condition, or `times`, looks at"),
    onlyWhile: z
      .strictObject({
        channel: channelReference,
        is: words(gateWords),
        value: z.number().optional(),
        startUp: seconds.optional().describe("Seconds after that in which the condition does not count"),
      })
      .nullable()
      .optional()
      .describe("The state of another channel without which it is not raised; null: none"),
    notify: z.array(contactReference).describe("Contacts; at least one"),
  })
  .describe("A rule that raises alerts");

const { threshold, notification } = classWords;
const SystemAlert = z
  .strictObject({
    class: words({ threshold, notification }),
    ...ofAnyAlert,
    notify: z.array(contactReference).optional(),
  })
  .describe("Whom the device's own limits (`threshold`) or its notifications are sent to; the owner's to configure");

export const Alert = z.discriminatedUnion("class", [CustomAlert, SystemAlert], {
  error: `it is one of ${Object.keys(classWords).join(", ")}`,
});
export type AlertEntry = z.output<typeof Alert>;
export type CustomAlertEntry = z.output<typeof CustomAlert>;

const targetError = "it is managers, { user: … }, { contact: … }, { roster: … } or { webhook: … }";
const Target = z.union(
  [
    z.literal("managers").describe("The owner and the admins"),
    z.strictObject({ user: userReference }),
    z.strictObject({ contact: contactReference }),
    z.strictObject({ roster: z.string().describe("Name of a roster under `rosters`") }),
    z.strictObject({ webhook: z.string().describe("Name of a webhook under `webhooks`") }),
  ],
  { error: targetError },
);
export type TargetEntry = z.output<typeof Target>;

const { longestWait, steps, targets, shortestRepeat, longestRepeat, mostRepeats } = planBounds;

export const Plan = z.strictObject({
  default: z.boolean().optional().describe("Whether it is the plan of alerts that name none; exactly one is"),
  steps: z
    .array(
      z.strictObject({
        after: z.int().min(0).max(longestWait).describe("Minutes after the alert"),
        notify: z.array(Target).max(targets).describe("At least one"),
      }),
    )
    .min(1)
    .max(steps)
    .describe("Who is notified, one step after the other, until somebody confirms the alert"),
  repeat: z
    .strictObject({
      every: z.int().min(shortestRepeat).max(longestRepeat).describe("Minutes"),
      times: z.int().min(1).max(mostRepeats),
    })
    .nullable()
    .optional()
    .describe("How it goes on after its last step; null: not at all"),
  backToNormal: z.boolean().optional().describe("Whether people are notified when the alert clears"),
  backToNormalBySms: z.boolean().optional(),
});
export type PlanEntry = z.output<typeof Plan>;

const timeZone = z
  .string()
  .refine((name) => zoneOf(name).name === name, { error: "there is no such time zone: write it as Europe/Berlin" })
  .describe("Such as Europe/Berlin");

export const Roster = z.strictObject({
  timeZone,
  shifts: z
    .array(
      z.strictObject({
        days: z.array(words(weekdayWords)).min(1).describe("Days on which it begins"),
        from: timeOfDay,
        to: timeOfDay.describe("On the next day when it is not later than `from`"),
        who: userReference,
      }),
    )
    .describe("Who is on call by the week; users can be named once they have joined"),
});
export type RosterEntry = z.output<typeof Roster>;

export const Webhook = z.strictObject({
  url: z
    .union([z.string(), z.strictObject({ env: z.string().regex(/^[A-Za-z_]\w*$/) })], {
      error: "it is an address, or { env: NAME } with the name of an environment variable",
    })
    .optional()
    .describe("Its address, which many systems treat as a secret: `{ env: NAME }` reads it from the environment"),
  format: words(formatWords).optional(),
  enabled: z.boolean().optional(),
  mayConfirm: z.boolean().optional().describe("Whether alerts may be confirmed by the link in its messages"),
  alerts: z.array(alertReference).optional().describe("Alerts that are posted to it"),
});
export type WebhookEntry = z.output<typeof Webhook>;

const whenError = "it is { alert: DEVICE/ALERT }, or { channel: DEVICE/CHANNEL, limit: high }";

export const JointControl = z.strictObject({
  when: z
    .union(
      [
        z.strictObject({ alert: alertReference }),
        z.strictObject({ channel: channelReference, limit: words(limitWords) }),
      ],
      { error: whenError },
    )
    .describe("The custom alert, or the limit in a channel's settings, that drives the output"),
  output: channelReference.describe("A digital output: name of its device, slash, code"),
  level: words(levelWords),
  afterwards: words(endingWords).optional().describe("What the output does when the condition ends"),
  enabled: z.boolean().optional(),
});
export type JointControlEntry = z.output<typeof JointControl>;

/** Longest maintenance window in whole days after the day on which it begins. */
const mostDaysLater = 3;

export const Maintenance = z.strictObject({
  devices: z.array(deviceReference).describe("At least one"),
  repeat: words(repeatWords),
  weekday: words(weekdayWords).optional().describe("Of weekly and monthly windows"),
  nth: z
    .union([z.int().min(1).max(4), z.literal("last")], { error: "it is 1, 2, 3, 4 or last" })
    .optional()
    .describe("Which such weekday of the month"),
  from: timeOfDay,
  to: timeOfDay,
  daysLater: z.int().min(0).max(mostDaysLater).optional().describe("On which day it ends, counted from its first"),
  timeZone,
  reason: z.string().min(1).max(longestReason).describe("Why nobody is notified"),
});
export type MaintenanceEntry = z.output<typeof Maintenance>;

/** Names of plans, rosters, webhooks and the like. */
export const named = <T extends z.ZodType>(entry: T) => z.record(name, entry);
