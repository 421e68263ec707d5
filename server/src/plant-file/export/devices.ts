import { keysOf } from "@telltale/contract/channel-types/index";
import type { KeyValue } from "@telltale/contract/channel-types/keys";
import type { AlarmRow } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import type { ChannelSetup } from "@telltale/contract/domains/channel-settings";
import { SourceType } from "@telltale/contract/domains/channels";
import type { AlertEntry } from "../document/alerting.ts";
import type { ChannelEntry, DeviceEntry } from "../document/document.ts";
import {
  alertTypeWords,
  analogWords,
  conditionWords,
  gateWords,
  priorityWords,
  selfRegisteringWords,
  wordFor,
  wordOf,
} from "../document/words.ts";
import type { PlantDevice } from "../plant.ts";
import { type Names, namesIn } from "./names.ts";

/** The code of a device's own channel. */
const codeOf = ({ setup }: PlantDevice, channelId: number | null): string =>
  setup.channels.find(({ deviceChannelId }) => deviceChannelId === channelId)?.channelCn ?? "";

const settingOf = (value: KeyValue, names: Names) => {
  if (typeof value !== "object" || value === null) return value;
  const channel = names.channel.get(value.deviceChannelId);
  return channel === undefined ? null : `${channel} ${value.type === SourceType.high ? "High" : "Low"}`;
};

/** All settings that a channel has as it is set, also those without a value: another plant's may have one. */
const settingsOf = (channel: ChannelSetup, names: Names): ChannelEntry["settings"] =>
  Object.fromEntries(
    keysOf(channel, channel.channelKeys).map((key) => [key, settingOf(channel.channelKeys[key] ?? null, names)]),
  );

const channelsOf = ({ setup }: PlantDevice, names: Names): Record<string, ChannelEntry> =>
  Object.fromEntries(
    setup.channels.map((channel) => [
      channel.channelCn,
      { name: channel.channelName, on: channel.channelSwitch === 1, settings: settingsOf(channel, names) },
    ]),
  );

const gateOf = (alarm: AlarmRow, names: Names) =>
  alarm.gateChannelId === null || alarm.gateType === null
    ? null
    : {
        channel: names.channel.get(alarm.gateChannelId) ?? "",
        is: wordOf(gateWords, alarm.gateType),
        ...(alarm.gateValue !== null && { value: alarm.gateValue }),
        startUp: alarm.startUp,
      };

const alertEntry = (alarm: AlarmRow, device: PlantDevice, names: Names): AlertEntry => {
  const ofAnyAlert = {
    priority: wordOf(priorityWords, alarm.priority),
    response: alarm.response,
    enabled: alarm.enabled === 1,
    plan: alarm.planId === null ? null : (names.plan.get(alarm.planId) ?? alarm.planName),
    notify: namesIn(alarm.notifyUserIds, names.contact),
  };
  if (alarm.alarmClass !== AlertClass.custom)
    return { class: alarm.alarmClass === AlertClass.threshold ? "threshold" : "notification", ...ofAnyAlert };
  return {
    channel: codeOf(device, alarm.deviceChannelId),
    condition: wordOf(conditionWords, alarm.condition),
    ...(alarm.type !== null && { type: wordOf(alertTypeWords, alarm.type) }),
    ...(alarm.alarmValue !== null && { value: alarm.alarmValue }),
    ...(alarm.alarmHysteresis !== null && { hysteresis: alarm.alarmHysteresis }),
    onDelay: alarm.onDelay,
    offDelay: alarm.offDelay,
    times: alarm.times,
    ...(alarm.window > 0 && { window: alarm.window }),
    onlyWhile: gateOf(alarm, names),
    ...ofAnyAlert,
  };
};

const sorted = <T>(rows: ReadonlyMap<string, T>): [string, T][] =>
  [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));

/** By what a device is found: its serial number where it has registered itself by one, since its ID is another in every plant. */
const identityOf = ({ row, serial }: PlantDevice): Pick<DeviceEntry, "id" | "serial" | "model"> => {
  const model = wordFor(selfRegisteringWords, row.typeId);
  return serial === undefined || model === undefined ? { id: row.deviceSnId } : { serial, model };
};

/** A device as a file says it; `entryName` is what the file calls it. */
export const deviceEntry = (entryName: string, device: PlantDevice, names: Names): DeviceEntry => {
  const { row, groups, alerts } = device;
  const master = row.parentDeviceId === null ? undefined : names.device.get(row.parentDeviceId);
  return {
    ...identityOf(device),
    ...(row.deviceName !== entryName && { name: row.deviceName }),
    ...(master !== undefined && { master }),
    offlineAfter: row.offlineReport,
    reportEvery: row.periodicity,
    disabled: row.isDisabled,
    channels: channelsOf(device, names),
    ...(groups.size > 0 && {
      groups: Object.fromEntries(
        sorted(groups).map(([name, { icon, deviceChannelIds }]) => [
          name,
          {
            icon: wordOf(analogWords, icon),
            channels: deviceChannelIds.map((id) => codeOf(device, id)),
          },
        ]),
      ),
    }),
    ...(alerts.size > 0 && {
      alerts: Object.fromEntries(sorted(alerts).map(([name, alarm]) => [name, alertEntry(alarm, device, names)])),
    }),
  };
};
