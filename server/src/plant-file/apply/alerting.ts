import type { Client } from "@telltale/contract/call/client";
import { plans, rosters, type Target, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { lastOfMonth } from "@telltale/contract/domains/alerting/maintenance";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { JointEnding, joint } from "@telltale/contract/domains/joint";
import { addressOf } from "../addresses.ts";
import type { PlannedEntry } from "../differences.ts";
import type { JointControlEntry, TargetEntry } from "../document/alerting.ts";
import type { PlantFile } from "../document/document.ts";
import { endingWords, formatWords, levelWords, limitWords, repeatWords, weekdayWords } from "../document/words.ts";
import type { Plant } from "../plant.ts";
import {
  accountIdOf,
  alarmIdOf,
  channelIdOf,
  contactIdOf,
  deviceNamed,
  rosterIdOf,
  webhookIdOf,
} from "./references.ts";

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
};

/** Adds or changes a roster. */
export const applyRoster = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<void> => {
  const wanted = file.rosters?.[name];
  if (!wanted) return;
  const present = plant.rosters.get(name);
  const shifts = wanted.shifts.map(({ days, from, to, who }) => ({
    days: days.map((day) => weekdayWords[day]),
    from: minutesOf(from),
    to: minutesOf(to),
    accountId: accountIdOf(plant, who),
  }));
  const fields = { rosterName: present?.rosterName ?? name, timeZoneId: wanted.timeZone, shifts };
  if (present) await client(rosters.update, { ...fields, rosterId: present.rosterId, version: present.version });
  else await client(rosters.add, fields);
};

const targetOf = (plant: Plant, target: TargetEntry): Target => {
  if (target === "managers") return { kind: TargetKind.managers, id: 0 };
  if ("user" in target) return { kind: TargetKind.account, id: accountIdOf(plant, target.user) };
  if ("contact" in target) return { kind: TargetKind.contact, id: contactIdOf(plant, target.contact) };
  if ("roster" in target) return { kind: TargetKind.roster, id: rosterIdOf(plant, target.roster) };
  return { kind: TargetKind.webhook, id: webhookIdOf(plant, target.webhook) };
};

/** Adds or changes an escalation plan. */
export const applyPlan = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<void> => {
  const wanted = file.plans?.[name];
  if (!wanted) return;
  const present = plant.plans.get(name);
  const fields = {
    planName: present?.planName ?? name,
    steps: wanted.steps.map(({ after, notify }) => ({ after, to: notify.map((target) => targetOf(plant, target)) })),
    repeat: wanted.repeat === undefined ? (present?.repeat ?? null) : wanted.repeat,
    backToNormal: wanted.backToNormal ?? present?.backToNormal ?? true,
    backToNormalBySms: wanted.backToNormalBySms ?? present?.backToNormalBySms ?? false,
  };
  let planId = present?.planId;
  if (present) await client(plans.update, { ...fields, planId: present.planId, version: present.version });
  else ({ planId } = await client(plans.add, fields));
  if (wanted.default && !present?.isDefault) await client(plans.makeDefault, { planId });
};

const bit = (isOn: boolean): 0 | 1 => (isOn ? 1 : 0);

/** Adds a webhook, without the alerts that are posted to it, or changes one. Returns the secret of a new one, which is not readable afterwards. */
export const applyWebhook = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<string | undefined> => {
  const wanted = file.webhooks?.[name];
  if (!wanted) return undefined;
  const present = plant.webhooks.get(name);
  const fields = {
    webhookName: present?.webhookName ?? name,
    url: addressOf(wanted.url) ?? present?.url ?? "",
    format: wanted.format ? formatWords[wanted.format] : (present?.format ?? formatWords.standard),
    enabled: bit(wanted.enabled ?? present?.enabled ?? true),
    mayConfirm: bit(wanted.mayConfirm ?? present?.mayConfirm ?? false),
  };
  if (!present) return (await client(webhooks.add, { ...fields, alarmIds: [] })).secret;
  const alarmIds = wanted.alerts?.map((reference) => alarmIdOf(plant, reference)) ?? present.alarmIds;
  await client(webhooks.update, { ...fields, alarmIds, webhookId: present.webhookId, version: present.version });
  return undefined;
};

const sourceOf = (plant: Plant, when: JointControlEntry["when"]) =>
  "alert" in when
    ? { alarmId: alarmIdOf(plant, when.alert) }
    : { sourceChannelId: channelIdOf(plant, when.channel), alarmType: limitWords[when.limit] };

/** Adds or changes a joint control. */
export const applyJointControl = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<void> => {
  const wanted = file.jointControls?.[name];
  if (!wanted) return;
  const present = plant.jointControls.get(name);
  const { when, output, level, afterwards, enabled } = wanted;
  await client(joint.edit, {
    ...(present && { jointId: present.jointId, version: present.version }),
    ...sourceOf(plant, when),
    name: present?.name ?? name,
    outputChannelId: channelIdOf(plant, output),
    level: levelWords[level],
    ending: afterwards ? endingWords[afterwards] : (present?.ending ?? JointEnding.back),
    enabled: enabled ?? present?.enabled ?? true,
  });
};

/** Plans or changes a maintenance window that repeats. */
export const applyMaintenance = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<void> => {
  const wanted = file.maintenance?.[name];
  if (!wanted) return;
  const present = plant.maintenance.get(name);
  const { devices, repeat, weekday, nth, from, to, daysLater, timeZone, reason } = wanted;
  const fields = {
    name: present?.alarmName ?? name,
    deviceIds: devices.map((device) => deviceNamed(plant, device).row.deviceId),
    repeat: repeatWords[repeat],
    ...(weekday && { weekday: weekdayWords[weekday] }),
    ...(nth !== undefined && { nth: nth === "last" ? lastOfMonth : nth }),
    ...{ from, to, daysLater: daysLater ?? present?.plan?.daysLater ?? 0, timeZoneId: timeZone, reason },
  };
  if (present) await client(silences.update, { ...fields, silenceId: present.silenceId, version: present.version });
  else await client(silences.add, { ...fields, kind: SilenceKind.maintenance });
};
