import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { MessageKind } from "../../notification-channels.ts";
import { AlertRow, noteField } from "../alerts.ts";
import { Chart } from "../channels.ts";

/** How often a channel was to report since a moment: milliseconds between two reports, and between two of an unchanged value. */
const Reporting = z.object({
  /** Epoch milliseconds. */
  since: z.number(),
  report: z.int(),
  /** 0 where every value is reported. */
  unchanged: z.int(),
});

/** A channel's readings, and what their line is drawn by, which servers of earlier versions leave out. */
const LinkedTrend = Chart.pick({ dataXs: true, dataYs: true }).extend({
  count: Chart.shape.count.default(0),
  from: Chart.shape.from.default(0),
  to: Chart.shape.to.default(0),
  /** Whether a value holds until the next reading, as levels, counts and registers do. */
  isStepped: z.boolean().default(false),
  /** Oldest first; the first also counts before. */
  reporting: z.array(Reporting).default([]),
});

/** An alert as the link in a message shows it to its recipient. */
export const LinkedAlert = z.object({
  alert: AlertRow.pick({
    alarmLogId: true,
    status: true,
    alarmClass: true,
    alarmType: true,
    channelName: true,
    isSwitch: true,
    isRate: true,
    deviceName: true,
    value: true,
    valueUnit: true,
    threshold: true,
    createdTime: true,
    acceptTime: true,
    modifiedTime: true,
    acceptName: true,
    msg: true,
    alarmName: true,
    priority: true,
    peak: true,
  }),
  plantName: z.string(),
  /** The channel's newest value; null without a channel, or without a reading. */
  now: z.number().nullable(),
  /** What to do, as the rule says it now. */
  response: z.string(),
  /** The channel's readings from one hour before the alert to one hour after it, as far as their unit was the same; null without a channel. */
  trend: LinkedTrend.nullable(),
  /** Name of the recipient, and what the link was sent by. */
  recipient: z.object({ name: z.string(), by: z.enum(MessageKind) }),
  /** Whether this recipient may confirm alerts. Once the alert has been confirmed or has cleared, nobody can. */
  mayConfirm: z.boolean(),
  /** Until when the link works. */
  untilTime: wire.time(),
});
export type LinkedAlert = z.output<typeof LinkedAlert>;

const link = z
  .string({ error: "The link is incomplete: open the complete link from the message" })
  .trim()
  .min(1, "The link is incomplete: open the complete link from the message")
  .max(100, "The link is incomplete: open the complete link from the message");

/** The alert of a link in a mail or SMS, for its recipient, without a session. */
export const alertLinks = {
  info: get("/api/alarm/link/info", {
    access: "public",
    summary: "The alert of a message's link, for seven days; opening it confirms nothing",
    query: z.object({ link }),
    result: LinkedAlert,
  }),
  confirm: post("/api/alarm/link/confirm", {
    access: "public",
    summary: "Confirms the alert of a message's link in the name of its recipient, while it waits for a confirmation",
    body: z.object({ link, note: noteField.optional() }),
    result: z.null(),
  }),
};
