import { Message } from "@telltale/contract/call/codes";
import { ChannelMessage } from "@telltale/contract/channel-types/checks";
import { type AlarmRange, rangeError } from "@telltale/contract/domains/alerting/alarm-range";
import { gateError } from "@telltale/contract/domains/alerting/gate";
import { Model } from "@telltale/contract/domains/devices";
import { clearOfChannels, lockNewest, reevaluate, reloadGated } from "../../../alarms/index.ts";
import { alarmRange, changedLimits } from "../../../alarms/rules/channel.rules.ts";
import { notify } from "../../../platform/bus/device-notices.ts";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { isSameScale } from "../../../telemetry/index.ts";
import type { World } from "../../../world.ts";
import { hasAlarm } from "./keys.rules.ts";
import { inputsForOutputs } from "./output-sources.ts";
import {
  isChanged,
  type PlannedChannel,
  planOf,
  type RequestedChannel,
  recordedChange,
  type Source,
} from "./save.rules.ts";
import {
  beginPeriod,
  changeChannel,
  customAlarms,
  forgetNewest,
  lockSettings,
  raiseSettingsVersion,
} from "./save-queries.ts";
import {
  type ChannelWithSettings,
  channelsWithSettings,
  type DeviceSettingsRow,
  settingsOfDevice,
} from "./setup-queries.ts";

/** A save of channels of one device. */
export interface Save {
  deviceId: number;
  /** The version that the user edited; if it has changed since, the save is rejected. */
  settingsVersion?: number | undefined;
  channels: readonly RequestedChannel[];
}

const registersOnly = "A motor controller is set up at the controller itself";

/** Reads the device and locks it until the transaction ends. */
const lockedDevice = async (db: Database, save: Save, caller: Caller): Promise<DeviceSettingsRow> => {
  const { deviceId, settingsVersion } = save;
  if (!(await settingsOfDevice(db, caller, deviceId))) throw notFound();
  await lockSettings(db, deviceId);
  const device = await settingsOfDevice(db, caller, deviceId);
  if (!device) throw notFound();
  if (settingsVersion !== undefined && settingsVersion !== device.version) throw conflict(Message.changedMeanwhile);
  if (device.type_id === Model.motorController) throw invalid(registersOnly);
  return device;
};

const requestedChannels = (
  save: Save,
  known: readonly ChannelWithSettings[],
): [ChannelWithSettings, RequestedChannel][] => {
  const requested = new Map(save.channels.map((each) => [each.channelId, each]));
  if (requested.size < save.channels.length) throw invalid("A channel can be named once only");
  return [...requested.values()].map((each) => {
    const channel = known.find(({ channel_id }) => channel_id === each.channelId);
    if (!channel) throw notFound();
    return [channel, each];
  });
};

const planned = (plan: PlannedChannel | { validationError: string }): PlannedChannel => {
  if ("validationError" in plan) throw invalid(plan.validationError);
  return plan;
};

/** Inputs are planned first: possible drivers of an output depend on the alarms set by the same save. */
const planAll = async (
  db: Database,
  save: Save,
  device: DeviceSettingsRow,
  caller: Caller,
): Promise<PlannedChannel[]> => {
  const requested = requestedChannels(save, await channelsWithSettings(db, caller, save.deviceId));
  const inputs = await inputsForOutputs(db, caller, save.deviceId);
  const made = new Map<number, PlannedChannel>();
  const sources = inputs.map(
    (input): Source => ({
      ...input,
      has: (type) => hasAlarm(input.channel_type, made.get(input.channel_id)?.settings ?? input.settings, type),
    }),
  );
  const isInput = (id: number) => inputs.some(({ channel_id }) => channel_id === id);
  const inOrder = requested.toSorted(([a], [b]) => Number(isInput(b.channel_id)) - Number(isInput(a.channel_id)));
  for (const [channel, each] of inOrder) made.set(channel.channel_id, planned(planOf(channel, each, device, sources)));
  const changed = [...made.values()].filter(isChanged);
  if (changed.length === 0) throw invalid(ChannelMessage.unchanged);
  return changed;
};

const idsOf = (plans: readonly PlannedChannel[]): number[] => plans.map(({ channel }) => channel.channel_id);

type CustomAlarm = Awaited<ReturnType<typeof customAlarms>>[number];

/** Why a custom alarm does not go with a range of a channel that it watches, or that is its gate; undefined when it does. */
const misfit = (alarm: CustomAlarm, channelId: number, range: AlarmRange): string | undefined => {
  const { condition, times_within: window, gate_channel_id: gateChannelId } = alarm;
  const [type, alarmValue, alarmHysteresis] = [alarm.type, alarm.alarm_value, alarm.alarm_hysteresis].map(
    (column) => column ?? undefined,
  );
  if (alarm.channel_id === channelId && rangeError({ condition, type, alarmValue, alarmHysteresis, window }, range))
    return "would not fit";
  if (gateChannelId !== channelId) return undefined;
  const gate = { gateChannelId, gateType: alarm.gate_type ?? undefined, gateValue: alarm.gate_value ?? undefined };
  return gateError(gate, range) ? "depends on it and would never be raised" : undefined;
};

/**
 * Rejects a range that a custom alarm does not go with: an alarm that can no longer be raised, or never clears, is worse than none, since users rely
 * on it. The message names the alarm to change first.
 */
const checkAlarms = async (db: Database, plans: readonly PlannedChannel[]): Promise<void> => {
  const alarms = await customAlarms(db, idsOf(plans));
  for (const { channel, settings, name } of plans) {
    if (!settings || isSameScale(channel.settings, settings)) continue;
    const range = alarmRange(channel.channel_type, settings);
    for (const alarm of alarms) {
      const reason = misfit(alarm, channel.channel_id, range);
      if (reason) throw invalid(`${name}: the alert '${alarm.alarm_name}' ${reason}. Please change or delete it first`);
    }
  }
};

const write = async (db: Database, plan: PlannedChannel, version: number, now: Date): Promise<void> => {
  const { channel, settings, name, isOn } = plan;
  const { channel_id: channelId } = channel;
  if (settings) await beginPeriod(db, { channelId, settings, version }, now);
  await changeChannel(db, channelId, { channel_name: name, channel_switch: isOn });
};

/** Channels whose newest reading is no longer comparable. */
const staleChannels = (plans: readonly PlannedChannel[]): number[] =>
  idsOf(plans.filter(({ channel, settings }) => settings && !isSameScale(channel.settings, settings)));

/** Keys of a channel's own limits that the save changes. */
const newLimits = ({ channel, settings }: PlannedChannel): string[] =>
  settings ? changedLimits(channel.channel_id, channel.channel_type, channel.settings, settings) : [];

/** Updates newest readings and open alerts of the channels to the new settings. */
const updateAlertsAndReadings = async (db: Database, plans: readonly PlannedChannel[], now: Date): Promise<void> => {
  const off = idsOf(plans.filter(({ isOn }) => !isOn));
  await lockNewest(db, idsOf(plans));
  const stale = staleChannels(plans);
  await forgetNewest(db, [...off, ...stale]);
  await reevaluate(db, idsOf(plans), now, { changed: [{ channelIds: stale }, { keys: plans.flatMap(newLimits) }] });
  await clearOfChannels(db, off, now);
};

/**
 * Saves settings, names and switches of a device's channels, all or none. They apply from this moment: a new settings period starts, alerts that they
 * no longer justify are cleared, and the device is notified. Returns the version of the save.
 */
export const saveChannels = ({ db, clock }: Pick<World, "db" | "clock">, save: Save, caller: Caller): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const device = await lockedDevice(trx, save, caller);
    const plans = await planAll(trx, save, device, caller);
    await checkAlarms(trx, plans);
    const { deviceId } = save;
    const { plantId, userId } = caller;
    const now = clock.date();
    const version = await raiseSettingsVersion(trx, { deviceId, userId, now });
    // Processed in the writer's lock order, which prevents deadlocks.
    const inOrder = plans.toSorted((a, b) => a.channel.channel_id - b.channel.channel_id);
    for (const plan of inOrder) await write(trx, plan, version, now);
    await updateAlertsAndReadings(trx, inOrder, now);
    const detail = { deviceId, ...recordedChange(plans) };
    await audit(trx, { plantId, userId, action: "channel.edit", detail, now });
    await notify(trx, { plantId, deviceId });
    if (inOrder.some(({ channel, isOn }) => isOn !== channel.channel_switch)) await reloadGated(trx, plantId, deviceId);
    return version;
  });
