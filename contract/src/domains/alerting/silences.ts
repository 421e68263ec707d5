import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { AlertPriority } from "../alerts.ts";

/** Why nobody is notified of a rule's alerts. */
export const SilenceKind = { shelf: 1, outOfService: 2 } as const;
export type SilenceKind = (typeof SilenceKind)[keyof typeof SilenceKind];
export const silenceKindLabels: Record<SilenceKind, string> = { 1: "Shelf", 2: "Out of service" };

/** Bounds of a silence, in minutes. */
export const silenceBounds = { shortest: 15, shelf: 24 * 60, urgentShelf: 8 * 60, outOfService: 90 * 24 * 60 } as const;

/** Longest reason of a silence. */
export const longestReason = 200;

/** The longest silence of a kind, in minutes, of alerts of this priority. */
export const longestSilence = (kind: SilenceKind, priority: AlertPriority): number => {
  if (kind === SilenceKind.outOfService) return silenceBounds.outOfService;
  return priority === AlertPriority.high ? silenceBounds.urgentShelf : silenceBounds.shelf;
};

/** A rule whose alerts nobody is notified of until the end. */
export const Silence = z.object({
  silenceId: z.int(),
  kind: z.enum(SilenceKind),
  /** Name of the rule, or of the channel or device where no person named one. */
  alarmName: z.string(),
  priority: z.enum(AlertPriority),
  deviceId: z.int(),
  deviceName: z.string(),
  deviceSnId: z.string(),
  reason: z.string(),
  byName: z.string().nullable(),
  createdTime: wire.time(),
  endTime: wire.time(),
  /** The alert that stands meanwhile; null when none does. */
  alarmLogId: z.int().nullable(),
  version: z.int(),
});
export type Silence = z.output<typeof Silence>;

const minutes = wire.intBetween(
  silenceBounds.shortest,
  silenceBounds.outOfService,
  "Choose a time of 15 minutes to 90 days",
);
const reason = z
  .string({ error: "Enter a reason" })
  .trim()
  .min(1, "Enter a reason")
  .max(longestReason, `A reason has at most ${longestReason} characters`);

/** Silences: whom alerts are not sent to, and until when. What is recorded does not change. */
export const silences = {
  add: post("/api/alarm/silence/add", {
    access: "alerts.silence",
    summary:
      "Silences the rule of an alert for a time: a shelf (at most a day, P1 at most 8 hours), or out of service (at most 90 days, not for installers)",
    body: z.object({
      alarmLogId: wire.int(),
      kind: wire.oneOf(Object.values(SilenceKind), "Choose a shelf or out of service"),
      minutes,
      reason,
    }),
    result: z.object({ silenceId: z.int() }),
  }),
  update: post("/api/alarm/silence/update", {
    access: "alerts.silence",
    summary: "Changes the end, as minutes from now, and the reason of a silence that holds",
    body: z.object({ silenceId: wire.int(), minutes, reason, version: wire.int().optional() }),
    result: z.null(),
  }),
  end: post("/api/alarm/silence/end", {
    access: "alerts.silence",
    summary: "Ends a silence; nobody is notified of what stands",
    body: z.object({ silenceId: wire.int() }),
    result: z.null(),
  }),
  list: get("/api/alarm/silence/list", {
    access: "alerts.read",
    summary: "Silences that hold, the next to end first",
    result: z.array(Silence),
  }),
};
