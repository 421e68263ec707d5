import { z } from "zod";
import { get } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { MessageKind } from "../../notification-channels.ts";
import { AlertClass, AlertPriority } from "../alerts.ts";
import { Silence } from "./silences.ts";

const device = { deviceId: z.int(), deviceName: z.string(), deviceSnId: z.string() };

/** A master that is silent; nobody is notified of its sub-devices, which are silent with it. */
const SilentMaster = z.object({
  ...device,
  lastSeenTime: wire.time().nullable(),
  /** Sub-devices whose offline alerts stand and are suppressed. */
  subDevices: z.int(),
});

/** A device whose service has ended: its readings are refused, so it raises nothing. */
const UnpaidDevice = z.object({ ...device, expireTime: wire.time() });

const RuleOf = z.object({
  ...device,
  /** Null for those who may not read rules. */
  alarmId: z.int().nullable(),
  alarmName: z.string(),
  priority: z.enum(AlertPriority),
});

/** A rule that is switched off, or whose channel is. Of a device's limits and events it notifies nobody; a custom one raises nothing either. */
const RuleOff = RuleOf.extend({ alarmClass: z.enum(AlertClass), isChannelOff: z.boolean() });

/** Messages about alerts to one address that is still notified, which were given up, and after which none has arrived. */
const FailedDelivery = z.object({
  kind: z.enum(MessageKind),
  recipient: z.string(),
  /** Name of the user or contact; null without one. */
  name: z.string().nullable(),
  messages: z.int(),
  /** Of the first and the last of them. */
  since: wire.time(),
  lastTime: wire.time(),
  /** Why the last one was not delivered. */
  fault: z.string(),
});

/** A bridge that has not reached its broker for an hour: what it should publish waits. */
const SilentBridge = z.object({
  bridgeId: z.int(),
  bridgeName: z.string(),
  since: wire.time(),
  fault: z.string(),
});

/** A roster that a plan notifies, with nobody on call now: the plan's next step is notified instead. */
const RosterGap = z.object({
  rosterId: z.int(),
  rosterName: z.string(),
  /** When somebody is on call again; null when nobody is in the next 62 days. */
  until: wire.time().nullable(),
});

/** A plan that alerts follow, of which no step reaches anybody now. */
const PlanOfNobody = z.object({ planId: z.int(), planName: z.string(), isDefault: z.boolean() });

/** Most rows of each list, and of the silences most of each kind but maintenance windows, which are all listed; the totals count all. */
export const mostListed = 100;

const counts = {
  shelved: z.int(),
  outOfService: z.int(),
  /** Maintenance windows that have begun. */
  maintenance: z.int(),
  silentMasters: z.int(),
  paymentDue: z.int(),
  devicesOff: z.int(),
  /** Rules that are switched off, or whose channels are. */
  rulesOff: z.int(),
  /** Addresses that messages do not reach, and bridges that do not reach their brokers. */
  failedDeliveries: z.int(),
  /** Rules that notify nobody; all devices whose own limits and events notify nobody count as one. */
  notifyNobody: z.int(),
  /** Rosters with nobody on call, and plans that reach nobody. */
  escalationGaps: z.int(),
};
const SilentCounts = z.object({ ...counts, total: z.int() });
export type SilentCounts = z.output<typeof SilentCounts>;

/** Everything of which nobody is notified now, or soon. */
export const SilentNow = z.object({
  counts: SilentCounts,
  silences: z.array(Silence),
  masters: z.array(SilentMaster),
  paymentDue: z.array(UnpaidDevice),
  devicesOff: z.array(z.object(device)),
  rulesOff: z.array(RuleOff),
  failed: z.array(FailedDelivery),
  bridges: z.array(SilentBridge),
  nobody: z.array(RuleOf),
  /** Devices whose own limits and events notify nobody: how many, and the first names. */
  devicesOfNobody: z.object({ total: z.int(), names: z.array(z.string()) }),
  rosterGaps: z.array(RosterGap),
  plansOfNobody: z.array(PlanOfNobody),
});
export type SilentNow = z.output<typeof SilentNow>;

/** What is silent now. */
export const silentNow = {
  list: get("/api/alarm/silence/now", {
    access: "alerts.read",
    summary:
      "All of which nobody is notified: silences, silent masters, payment due, what is switched off, failed deliveries, failing bridges, rules without recipients, gaps of rosters and plans. A viewer sees that of its devices, and no addresses",
    result: SilentNow,
  }),
  counts: get("/api/alarm/silence/count", {
    access: "alerts.read",
    summary: "How many of each are silent now",
    result: SilentCounts,
  }),
};
