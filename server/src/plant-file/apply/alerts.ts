import type { Client } from "@telltale/contract/call/client";
import { alarms } from "@telltale/contract/domains/alarms";
import type { PlannedEntry } from "../differences.ts";
import type { AlertEntry, CustomAlertEntry } from "../document/alerting.ts";
import type { PlantFile } from "../document/document.ts";
import { alertTypeWords, classWords, conditionWords, gateWords, priorityWords, wordFor } from "../document/words.ts";
import type { Plant, PlantDevice } from "../plant.ts";
import { channelIdOf, channelOf, contactIdOf, deviceNamed, planIdOf } from "./references.ts";

type Present = ReturnType<PlantDevice["alerts"]["get"]>;

const gateOf = (plant: Plant, onlyWhile: CustomAlertEntry["onlyWhile"]) => {
  if (!onlyWhile) return onlyWhile === null ? { gateChannelId: 0 } : {};
  return {
    gateChannelId: channelIdOf(plant, onlyWhile.channel),
    gateType: gateWords[onlyWhile.is],
    gateValue: onlyWhile.value,
    startUp: onlyWhile.startUp,
  };
};

/** The condition of a custom alert: what the call demands and the file leaves out stays as it is. */
const conditionOf = (plant: Plant, device: PlantDevice, wanted: CustomAlertEntry, present: Present) => {
  const type = wanted.type ?? wordFor(alertTypeWords, present?.type ?? null);
  return {
    deviceChannelId: channelOf(device, wanted.channel),
    condition: wanted.condition && conditionWords[wanted.condition],
    type: type && alertTypeWords[type],
    alarmValue: wanted.value ?? present?.alarmValue ?? undefined,
    alarmHysteresis: wanted.hysteresis ?? present?.alarmHysteresis ?? undefined,
    onDelay: wanted.onDelay,
    offDelay: wanted.offDelay,
    times: wanted.times,
    window: wanted.window,
    ...gateOf(plant, wanted.onlyWhile),
  };
};

/** A new alert's name; of one that the file numbers because another has the same, that without the number. */
const newName = (name: string, others: Readonly<Record<string, AlertEntry>>): string => {
  const [, same = ""] = /^(.+) \(\d+\)$/.exec(name) ?? [];
  return Object.hasOwn(others, same) ? same : name;
};

/** The fields of an alert as the call takes them. */
const alarmOf = (plant: Plant, device: PlantDevice, wanted: AlertEntry, present: Present) => {
  const { priority, response, enabled, notify, plan } = wanted;
  return {
    alarmClass: classWords[wanted.class ?? "custom"],
    deviceId: device.row.deviceId,
    ...("channel" in wanted && conditionOf(plant, device, wanted, present)),
    response,
    priority: priority && priorityWords[priority],
    enabled: enabled === undefined ? undefined : enabled ? (1 as const) : (0 as const),
    planId: plan === null ? 0 : plan === undefined ? undefined : planIdOf(plant, plan),
    notifyUserIds: notify?.map((address) => contactIdOf(plant, address)) ?? present?.notifyUserIds,
  };
};

/** Adds and changes a device's alerts, when all channels and plans that they look at are there. */
export const applyAlerts = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  entry: PlannedEntry,
): Promise<void> => {
  const device = deviceNamed(plant, entry.name);
  const differing = new Set(entry.differences.map(({ path }) => (path[2] === "alerts" ? path[3] : undefined)));
  const wantedAlerts = file.devices?.[entry.name]?.alerts ?? {};
  for (const [name, wanted] of Object.entries(wantedAlerts)) {
    if (!differing.has(name)) continue;
    const present = device.alerts.get(name);
    const alarmName = present?.alarmName ?? newName(name, wantedAlerts);
    const fields = { alarmName, ...alarmOf(plant, device, wanted, present) };
    if (present) await client(alarms.update, { ...fields, alarmId: present.alarmId, version: present.version });
    else await client(alarms.add, fields);
  }
};
