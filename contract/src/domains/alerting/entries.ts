import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { MessageKind } from "../../notification-channels.ts";
import { AlertPriority, AlertStatus, LoggedAlert, noteField } from "../alerts.ts";
import type { SilenceKind } from "./silences.ts";

const silenceKinds = [1, 2, 3, 4] as const satisfies readonly SilenceKind[];

/** Why nobody is notified of an alert, and until when. */
const AlertSilence = z.object({
  silenceId: z.int(),
  kind: z.literal(silenceKinds),
  reason: z.string(),
  byName: z.string().nullable(),
  /** Null while a silent master is silent. */
  endTime: wire.time().nullable(),
});

/** An alert that stands: its condition has not ended. */
export const StandingRow = LoggedAlert.extend({
  /** The channel's newest value; null without a channel, or without a reading. */
  now: z.number().nullable(),
  /** While nobody is notified of it. */
  silence: AlertSilence.nullable(),
});
export type StandingRow = z.output<typeof StandingRow>;

/** The place of an alert among those of its family. */
const AlertPlace = LoggedAlert.pick({ alarmLogId: true, firstOf: true, follows: true });

/**
 * What has changed in the lists of a device's alerts since the last live message about the device. It is complete: an alert that is not in it has not
 * changed.
 */
export const AlertLogChange = z.object({
  /** Alerts that were raised or have changed, without those that wait for a person. */
  changed: z.array(StandingRow),
  /** Those that wait for a person: what the message does not tell of them in `unconfirmed`. */
  waiting: z.array(StandingRow.pick({ alarmLogId: true, firstOf: true, follows: true, now: true })),
  /** All alerts of the device that stand. */
  standing: z.array(z.int()),
  /** Other alerts of its family that have another place now. */
  places: z.array(AlertPlace),
  /** The other devices with alerts that the places depend on. Who does not see all of them is not sent these changes: the places are others for them. */
  family: z.array(z.int()),
});
export type AlertLogChange = z.output<typeof AlertLogChange>;

/** A message about an alert to one recipient. */
export const AlertDelivery = z.object({
  /** Name of the person; the address where no name is known, which viewers do not see. */
  to: z.string(),
  by: z.enum(MessageKind),
  /**
   * `kept`: no mail server or SMS provider is configured. `held`: waits for a summary of several alerts; `listed`: is in one. `skipped`: it was not
   * needed any more, for the reason in `fault`. One in a summary that was given up, or kept, has become the same.
   */
  status: z.enum(["waiting", "sending", "sent", "kept", "failed", "held", "listed", "skipped"]),
  /** When it, or the summary that lists it, was sent, or queued. */
  time: wire.time(),
  /** Why it was not sent. */
  fault: z.string(),
});
export type AlertDelivery = z.output<typeof AlertDelivery>;

/** What happened to an alert, as its page lists it. */
export const AlertEventKind = {
  raised: 1,
  notified: 2,
  confirmed: 3,
  note: 4,
  assigned: 5,
  cleared: 6,
  /** Shelved, or taken out of service; with the reason. */
  silenced: 7,
  /** The silence was ended by hand. */
  resumed: 8,
  /** The silence ended by itself. */
  returned: 9,
  /** Nobody had confirmed it: the plan's next step was notified. */
  escalated: 10,
  /** Whoever was notified was notified that it has cleared. */
  backToNormal: 11,
} as const;
export type AlertEventKind = (typeof AlertEventKind)[keyof typeof AlertEventKind];

export const AlertEvent = z.object({
  kind: z.enum(AlertEventKind),
  time: wire.time(),
  /** Who did it; null where nobody did. */
  by: z.string().nullable(),
  /** Of an assignment, whom it went to; null for nobody. */
  to: z.string().nullable(),
  /** The text of a note, or the reason of a silence. */
  note: z.string(),
  /** Of `notified`, `escalated` and `backToNormal`: the messages. */
  deliveries: z.array(AlertDelivery),
});
export type AlertEvent = z.output<typeof AlertEvent>;

/** An alert with everything that its page shows. */
export const AlertInfo = StandingRow.extend({
  /** The rule, while it exists; null for device limits and events without one, and for those who may not read rules. */
  alarmId: z.int().nullable(),
  /** What to do, as the rule says it now. */
  response: z.string(),
  /** The device's time zone, which servers of earlier versions leave out. */
  timeZoneId: z.string().default("UTC"),
  assignedTo: z.int().nullable(),
  /** Oldest first. */
  timeline: z.array(AlertEvent),
  /** Whom its plan notifies next, and when, unless somebody confirms it; null when nobody is left, and for those who may not read plans. */
  next: z.object({ time: wire.time(), to: z.array(z.string()) }).nullable(),
});
export type AlertInfo = z.output<typeof AlertInfo>;

const alarmLogId = wire.int();
/** The entry of one alert, and those that stand. */
export const alertEntries = {
  standing: get("/api/alarm/log/standing", {
    access: "alerts.read",
    summary: "Alerts whose condition has not ended, by priority, then newest first",
    query: z.object({
      ...pageQuery,
      status: wire.list(wire.anyOf(AlertStatus)).optional(),
      priority: wire.list(wire.oneOf<number>(AlertPriority, "Choose a priority")).optional(),
      unconfirmed: wire.oneOf([1], "Send 1 for only the unconfirmed alerts").optional(),
      deviceName: wire.text().optional(),
    }),
    result: page(StandingRow),
  }),
  info: get("/api/alarm/log/info", {
    access: "alerts.read",
    summary: "One alert with its timeline",
    query: z.object({ alarmLogId }),
    result: AlertInfo,
  }),
  note: post("/api/alarm/log/note", {
    access: "alerts.confirm",
    summary: "Adds a note to an alert, also after it has cleared",
    body: z.object({ alarmLogId, note: noteField.min(1, "Write a note") }),
    result: z.null(),
  }),
  assignees: get("/api/alarm/log/assignees", {
    access: "alerts.confirm",
    summary: "Accounts of the plant that an alert can be assigned to, by name; for a viewer its own",
    result: z.array(z.object({ accountId: z.int(), name: z.string() })),
  }),
  assign: post("/api/alarm/log/assign", {
    access: "alerts.confirm",
    summary: "Assigns an alert to an account; without one, to nobody",
    body: z.object({ alarmLogId, accountId: wire.int().optional() }),
    result: z.null(),
  }),
  passed: get("/api/alarm/log/passed", {
    access: "alerts.read",
    summary:
      "How many alerts came and went, unconfirmed, since the account's last visit; a visit ends half an hour after its last look",
    result: z.object({ since: wire.time(), total: z.int() }),
  }),
};
