import {
  IconBellOff,
  IconCalendarOff,
  IconCreditCard,
  IconMailOff,
  IconPlugConnectedX,
  IconRouter,
  IconToggleLeft,
  IconTransferOut,
  IconUserOff,
} from "@tabler/icons-react";
import { windowText } from "@telltale/contract/domains/alerting/maintenance";
import { type Silence, SilenceKind, silenceKindLabels } from "@telltale/contract/domains/alerting/silences";
import type { SilentNow } from "@telltale/contract/domains/alerting/silent-now";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { MessageKind, messageKindLabels } from "@telltale/contract/notification-channels";
import { counted } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { maskedId } from "../../../ui/format/masked-id.ts";
import { day, orMissing, recent, recentShort } from "../../../ui/format/time.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./silent-page.module.css";
import type { SilentEntry } from "./silent-row.tsx";

/** Rows with a heading that says when they end. */
export interface SilentGroup {
  title: string;
  says: string;
  entries: SilentEntry[];
}

/** What a row's buttons are, for the account. */
export interface RowButtons {
  ofSilence: (silence: Silence) => ReactNode;
  ofRule: (rule: SilentNow["nobody"][number], isOff: boolean) => ReactNode;
  /** Pays for a device. */
  ofUnpaid: (device: SilentNow["paymentDue"][number]) => ReactNode;
  toRecipients: ReactNode;
  toWebhooks: ReactNode;
}

interface Device {
  deviceId: number;
  deviceName: string;
  deviceSnId: string;
}

const Id = ({ device }: { device: Device }) => <span className={classes.id}>{maskedId(device.deviceSnId)}</span>;

const DeviceLink = ({ device, children }: { device: Device; children: ReactNode }) => (
  <Link to="/devicesDetail" search={{ deviceId: device.deviceId }}>
    {children}
  </Link>
);

const devicesText = (devices: readonly Device[]): string =>
  devices.length === 0
    ? "No device: they were deleted"
    : `${counted(devices.length, "device")}: ${devices.map(({ deviceName }) => deviceName).join(", ")}`;

const ofSilence = (silence: Silence, buttons: RowButtons): SilentEntry => {
  const { silenceId, kind, alarmName, priority, devices, reason, byName, plan, alarmLogId } = silence;
  const [device] = devices;
  const isWindow = kind === SilenceKind.maintenance;
  return {
    key: `silence ${silenceId}`,
    kind: silenceKindLabels[kind],
    what:
      alarmLogId === null ? (
        alarmName
      ) : (
        <Link to="/alarms/detail" search={{ alarmLogId }}>
          {alarmName}
        </Link>
      ),
    whatBelow: isWindow ? (
      devicesText(devices)
    ) : (
      <>
        {priority && <PriorityPlate priority={priority} />} {device?.deviceName} {device && <Id device={device} />}
      </>
    ),
    why: plan ? windowText(plan) : reason,
    whyBelow: plan ? `${reason}, ${plan.timeZoneId}` : alarmLogId === null ? "Nothing stands" : "The alert stands",
    by: byName,
    ends: { start: silence.startTime, end: silence.endTime },
    action: buttons.ofSilence(silence),
  };
};

const ofMaster = (master: SilentNow["masters"][number]): SilentEntry => ({
  key: `master ${master.deviceId}`,
  kind: "Silent master",
  icon: IconRouter,
  what: master.deviceName,
  whatBelow: (
    <>
      <Id device={master} /> {counted(master.subDevices, "sub-device")} offline with it
    </>
  ),
  why: `Last message ${orMissing(master.lastSeenTime, recent)}`,
  whyBelow: "Notified of once, for all of them",
  ends: { cause: "When it reports again" },
  action: <DeviceLink device={master}>Open device</DeviceLink>,
});

const ofUnpaid = (device: SilentNow["paymentDue"][number], buttons: RowButtons): SilentEntry => ({
  key: `unpaid ${device.deviceId}`,
  kind: "Payment due",
  icon: IconCreditCard,
  isDue: true,
  what: device.deviceName,
  whatBelow: (
    <>
      <Id device={device} /> alarms muted
    </>
  ),
  why: `Paid until ${day(device.expireTime)}`,
  whyBelow: "Its readings are refused",
  ends: { cause: "When it is paid" },
  action: buttons.ofUnpaid(device),
});

const ofDisabled = (device: Device): SilentEntry => ({
  key: `device ${device.deviceId}`,
  kind: "Device disabled",
  icon: IconPlugConnectedX,
  isDue: true,
  what: device.deviceName,
  whatBelow: <Id device={device} />,
  why: "Its readings are refused",
  ends: { cause: "No end" },
  action: <DeviceLink device={device}>Open device</DeviceLink>,
});

type Rule = SilentNow["nobody"][number];

/** Why a rule is silent: it is switched off, notifies nobody of a device's limits and events while it is, has its channel off, or no recipient. */
type RuleFault = "off" | "deviceOff" | "channelOff" | "nobody";

const faultOf = ({ alarmClass, isChannelOff }: SilentNow["rulesOff"][number]): RuleFault => {
  if (isChannelOff) return "channelOff";
  return alarmClass === AlertClass.custom ? "off" : "deviceOff";
};

const ruleFaults: Record<RuleFault, Pick<SilentEntry, "kind" | "icon" | "why" | "ends">> = {
  off: { kind: "Rule disabled", icon: IconToggleLeft, why: "It raises no alerts", ends: { cause: "No end" } },
  deviceOff: {
    ...{ kind: "Rule disabled", icon: IconToggleLeft, why: "Nobody is notified of what its device raises" },
    ends: { cause: "No end" },
  },
  channelOff: {
    ...{ kind: "Channel off", icon: IconToggleLeft, why: "Its channel is switched off: it raises no alerts" },
    ends: { cause: "No end" },
  },
  nobody: {
    ...{ kind: "Notifies nobody", icon: IconUserOff, why: "No verified recipient" },
    ends: { cause: "Until one is added" },
  },
};

const ofRule = (rule: Rule, fault: RuleFault, buttons: RowButtons): SilentEntry => ({
  ...ruleFaults[fault],
  key: `rule ${rule.alarmId ?? `${rule.deviceId} ${rule.alarmName}`}`,
  isDue: true,
  what: rule.alarmName,
  whatBelow: (
    <>
      <PriorityPlate priority={rule.priority} /> {rule.deviceName} <Id device={rule} />
    </>
  ),
  action: buttons.ofRule(rule, fault !== "nobody"),
});

/** Kinds of which the address is an id that tells nobody anything. */
const namedOnly: readonly number[] = [MessageKind.webhook, MessageKind.push];

/** The address where the name does not say it, and how many messages. */
const failedText = ({ kind, name, recipient, messages, since }: SilentNow["failed"][number]): string => {
  const address = name === null || namedOnly.includes(kind) ? "" : `${recipient}, `;
  return `${address}${counted(messages, "message")} since ${recent(since)}`;
};

const ofFailed = (failed: SilentNow["failed"][number], buttons: RowButtons): SilentEntry => ({
  key: `failed ${failed.kind} ${failed.recipient}`,
  kind: `Failed ${messageKindLabels[failed.kind]}`,
  icon: IconMailOff,
  isDue: true,
  what: failed.name ?? failed.recipient,
  whatBelow: failedText(failed),
  why: failed.fault === "" ? "Not delivered" : failed.fault,
  whyBelow: `Last tried ${recent(failed.lastTime)}`,
  ends: { cause: "Until one arrives" },
  action: failed.kind === MessageKind.webhook && buttons.toWebhooks,
});

const ofBridge = (bridge: SilentNow["bridges"][number]): SilentEntry => ({
  key: `bridge ${bridge.bridgeId}`,
  kind: "Failing bridge",
  icon: IconTransferOut,
  isDue: true,
  what: bridge.bridgeName,
  whatBelow: "Values and alerts wait for its broker",
  why: bridge.fault,
  whyBelow: `Since ${recent(bridge.since)}`,
  ends: { cause: "When it is connected again" },
  action: <Link to="/configureBridges">Open bridges</Link>,
});

const toEscalation = <Link to="/configureEscalation">Open escalation</Link>;

const ofPlan = (plan: SilentNow["plansOfNobody"][number]): SilentEntry => ({
  key: `plan ${plan.planId}`,
  kind: "Plan without anyone",
  icon: IconUserOff,
  isDue: true,
  what: plan.planName,
  whatBelow: plan.isDefault ? "The plant's default plan" : "An escalation plan that alerts follow",
  why: "No step of it reaches anybody now",
  ends: { cause: "Until a step reaches somebody" },
  action: toEscalation,
});

const ofGap = (gap: SilentNow["rosterGaps"][number]): SilentEntry => ({
  key: `roster ${gap.rosterId}`,
  kind: "On-call gap",
  icon: IconCalendarOff,
  isDue: true,
  what: gap.rosterName,
  whatBelow: "A roster that an escalation plan notifies",
  why: "Nobody is on call now",
  whyBelow: "The plan's next step is notified instead",
  ends: { cause: gap.until === null ? "No end" : `Until ${recentShort(gap.until)}` },
  action: toEscalation,
});

const ofUntold = ({ total, names }: SilentNow["devicesOfNobody"], buttons: RowButtons): SilentEntry => ({
  key: "untold",
  kind: "Notifies nobody",
  icon: IconBellOff,
  isDue: true,
  what: `Own limits and events of ${counted(total, "device")}`,
  whatBelow: `${names.join(", ")}${total > names.length ? ` and ${total - names.length} more` : ""}`,
  why: "No verified recipient",
  ends: { cause: "Until one is added" },
  action: buttons.toRecipients,
});

/** What is silent, in groups by what ends it; without empty ones. */
export const groupsOf = (all: SilentNow, buttons: RowButtons): SilentGroup[] =>
  [
    {
      title: "Silenced by a person",
      says: "ends by itself; when the condition still stands then, people are notified once",
      entries: all.silences.map((silence) => ofSilence(silence, buttons)),
    },
    {
      title: "Silent by itself",
      says: "ends when the cause ends",
      entries: [...all.masters.map(ofMaster), ...all.paymentDue.map((device) => ofUnpaid(device, buttons))],
    },
    {
      title: "Switched off",
      says: "stays so until somebody switches it on",
      entries: [...all.devicesOff.map(ofDisabled), ...all.rulesOff.map((rule) => ofRule(rule, faultOf(rule), buttons))],
    },
    {
      title: "Reaches nobody",
      says: "alarms are raised, but the message does not arrive",
      entries: [
        ...all.failed.map((failed) => ofFailed(failed, buttons)),
        ...all.bridges.map(ofBridge),
        ...all.nobody.map((rule) => ofRule(rule, "nobody", buttons)),
        ...all.plansOfNobody.map(ofPlan),
        ...all.rosterGaps.map(ofGap),
        ...(all.devicesOfNobody.total > 0 ? [ofUntold(all.devicesOfNobody, buttons)] : []),
      ],
    },
  ].filter(({ entries }) => entries.length > 0);
