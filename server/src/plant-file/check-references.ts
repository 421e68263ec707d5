import { Key } from "@telltale/contract/channel-types/keys";
import { contactChannels } from "@telltale/contract/notification-channels";
import { addressOf } from "./addresses.ts";
import { settingFaults } from "./check-settings.ts";
import type { AlertEntry, TargetEntry } from "./document/alerting.ts";
import type { DashboardEntry, DeviceEntry, PlantFile } from "./document/document.ts";
import { classWords, contactTypeOf, ownerWord } from "./document/words.ts";
import { isAboutDevices, type Kind, type Known, knownIn } from "./known.ts";
import type { Plant } from "./plant.ts";
import type { WrittenPlant } from "./read-file.ts";
import { BadFile } from "./read-yaml.ts";

type Path = readonly PropertyKey[];

interface Checks {
  known: Known;
  /** Notes what is wrong with the value at a path. */
  note: (path: Path, fault: string) => void;
  /** Notes a reference to what is nowhere, or could be one of several. */
  demand: (path: Path, kind: Kind, name: string) => void;
}

const entriesOf = <T>(entries: Record<string, T> | undefined): [string, T][] => Object.entries(entries ?? {});

/** Why an address is none that a contact can have; undefined when it is one. */
const addressFault = (address: string): string | undefined => {
  const { address: field } = contactChannels[contactTypeOf(address)];
  return field.safeParse(address).error?.issues[0]?.message;
};

const checkAlert = ({ demand }: Checks, alert: AlertEntry, path: Path): void => {
  for (const [index, address] of (alert.notify ?? []).entries()) demand([...path, "notify", index], "contact", address);
  if (typeof alert.plan === "string") demand([...path, "plan"], "escalation plan", alert.plan);
  if ("onlyWhile" in alert && alert.onlyWhile)
    demand([...path, "onlyWhile", "channel"], "channel", alert.onlyWhile.channel);
};

const source = /^(.+) (?:High|Low)$/;

/** Whether a file's ID of a device is this one, which it may write with other capitals. */
export const isSameId = (written: string | undefined, deviceSnId: string): boolean =>
  written?.toUpperCase() === deviceSnId.toUpperCase();

/** A device keeps the unit that it is: its history is that unit's. */
const checkUnit = ({ note }: Checks, name: string, { id, serial, model }: DeviceEntry, { devices }: Plant): void => {
  const present = devices.get(name);
  if (!present) return;
  const path = ["devices", name];
  const { deviceSnId, deviceSn } = present.row;
  const other = "give this entry another name for a further device, or delete that one first";
  if (id !== undefined && !isSameId(id, deviceSnId))
    note([...path, "id"], `${name} is ${deviceSnId} in the plant: ${other}`);
  // Who may not read serial numbers sees none.
  if (serial !== undefined && present.serial !== undefined && serial !== present.serial)
    note([...path, "serial"], `${name} is ${present.serial} in the plant: ${other}`);
  if (model !== undefined && !deviceSn.startsWith(`${model}-`))
    note([...path, "model"], `${name} has the P/N ${deviceSn} in the plant: ${other}`);
};

const checkDevice = (checks: Checks, name: string, device: DeviceEntry, plant: Plant): void => {
  const { known, note, demand } = checks;
  const path = ["devices", name];
  const codes = known.codes(name);
  const demandCode = (at: Path, code: string) => {
    if (codes && !codes.includes(code))
      note(at, `there is no channel ${name}/${code}: the device has ${codes.join(", ")}`);
  };
  if (device.master !== undefined) demand([...path, "master"], "device", device.master);
  for (const [channel, { settings = {} }] of entriesOf(device.channels)) {
    const at = [...path, "channels", channel];
    demandCode(at, channel);
    const said = settings[Key.source];
    if (typeof said !== "string") continue;
    const [, driving] = source.exec(said) ?? [];
    if (driving === undefined) note([...at, "settings", Key.source], "write it as DEVICE/CHANNEL High, or … Low");
    else demand([...at, "settings", Key.source], "channel", driving);
  }
  for (const { code, key, text } of settingFaults(device, plant.devices.get(name)))
    note([...path, "channels", code, ...(key === undefined ? [] : ["settings", key])], text);
  for (const [group, { channels }] of entriesOf(device.groups))
    for (const [index, code] of channels.entries()) demandCode([...path, "groups", group, "channels", index], code);
  for (const [alertName, alert] of entriesOf(device.alerts)) {
    const at = [...path, "alerts", alertName];
    if ("channel" in alert) demandCode([...at, "channel"], alert.channel);
    const present = plant.devices.get(name)?.alerts.get(alertName);
    if (present && present.alarmClass !== classWords[alert.class ?? "custom"])
      note([...at, "class"], "an alert keeps its class: give this one another name");
    checkAlert(checks, alert, at);
  }
};

const checkTiles = ({ demand }: Checks, tiles: DashboardEntry["tiles"], path: Path): void =>
  tiles.forEach((tile, index) => {
    const at = [...path, index];
    if (typeof tile === "string") demand(at, "channel", tile);
    else if ("controller" in tile) demand(at, "device", tile.controller);
    else demand(at, "group", tile.group);
  });

const checkTarget = ({ demand }: Checks, target: TargetEntry, path: Path): void => {
  if (target === "managers") return;
  if ("user" in target) demand(path, "user", target.user);
  else if ("contact" in target) demand(path, "contact", target.contact);
  else if ("roster" in target) demand(path, "roster", target.roster);
  else demand(path, "webhook", target.webhook);
};

/** Addresses that only differ by capitals are one. */
const checkContacts = ({ note }: Checks, contacts: PlantFile["contacts"], plant: Plant): void => {
  const known = new Map([...plant.contacts.keys()].map((address) => [address.toLowerCase(), address]));
  for (const [address] of entriesOf(contacts)) {
    const same = known.get(address.toLowerCase());
    if (same !== undefined && same !== address) note(["contacts", address], `it is ${same} already`);
    known.set(address.toLowerCase(), same ?? address);
    const fault = plant.contacts.has(address) ? undefined : addressFault(address);
    if (fault !== undefined) note(["contacts", address], fault);
  }
};

const checkPeople = (checks: Checks, { users, rosters, plans }: PlantFile, plant: Plant): void => {
  const { note, demand } = checks;
  const written = new Map<string, string>();
  for (const [email, { role, dashboard, alerts = [] }] of entriesOf(users)) {
    if (email.toLowerCase() === plant.owner?.userEmail.toLowerCase())
      note(["users", email], `it is the plant's owner, who stands here as ${ownerWord} where others are named`);
    const same = written.get(email.toLowerCase());
    if (same !== undefined) note(["users", email], `it is ${same} already`);
    written.set(email.toLowerCase(), email);
    if (typeof dashboard === "string" && role !== "viewer")
      note(["users", email, "dashboard"], "only a viewer has one of its own");
    if (typeof dashboard === "string") demand(["users", email, "dashboard"], "dashboard", dashboard);
    for (const [index, alert] of alerts.entries()) demand(["users", email, "alerts", index], "alert", alert);
  }
  for (const [name, { shifts }] of entriesOf(rosters))
    for (const [index, { who }] of shifts.entries()) demand(["rosters", name, "shifts", index, "who"], "user", who);
  for (const [name, { steps }] of entriesOf(plans))
    for (const [step, { notify }] of steps.entries())
      for (const [index, target] of notify.entries())
        checkTarget(checks, target, ["plans", name, "steps", step, "notify", index]);
};

const checkWebhooks = ({ note, demand }: Checks, { webhooks }: PlantFile, plant: Plant): void => {
  for (const [name, { url, alerts = [] }] of entriesOf(webhooks)) {
    const path = ["webhooks", name];
    const address = addressOf(url);
    if (address !== undefined && !URL.canParse(address))
      note([...path, "url"], "it is no address such as https://hooks.example.com/alerts");
    if (address === undefined && !plant.webhooks.has(name))
      note(
        path,
        typeof url === "object"
          ? `it is new: set the environment variable ${url.env} to its address`
          : "it is new: its url is missing",
      );
    for (const [index, alert] of alerts.entries()) demand([...path, "alerts", index], "alert", alert);
  }
};

const checkUses = ({ demand }: Checks, { jointControls, maintenance }: PlantFile): void => {
  for (const [name, { when, output }] of entriesOf(jointControls)) {
    const path = ["jointControls", name];
    if ("alert" in when) demand([...path, "when", "alert"], "alert", when.alert);
    else demand([...path, "when", "channel"], "channel", when.channel);
    demand([...path, "output"], "channel", output);
  }
  for (const [name, { devices }] of entriesOf(maintenance))
    for (const [index, device] of devices.entries()) demand(["maintenance", name, "devices", index], "device", device);
};

/** Of plans and of dashboards exactly one is the default. */
const checkDefaults = ({ note }: Checks, file: PlantFile, plant: Plant): void => {
  const present = {
    plans: [...plant.plans].find(([, { isDefault }]) => isDefault)?.[0],
    dashboards: [...plant.dashboards].find(([, { status }]) => status === 1)?.[0],
  };
  for (const section of ["plans", "dashboards"] as const) {
    const wanted = entriesOf<{ default?: boolean | undefined }>(file[section]);
    const [first, ...more] = wanted.filter(([, entry]) => entry.default);
    for (const [name] of more) note([section, name, "default"], `${first?.[0]} is the default already`);
    const ended = wanted.find(([name, entry]) => name === present[section] && entry.default === false);
    if (ended && !first) note([section, ended[0], "default"], "make another one the default instead");
  }
};

/**
 * Throws `BadFile` when the file refers to something that is neither in it nor in the plant, or to one of several with the same name; nothing has
 * been changed then.
 */
export const checkReferences = ({ file, at }: WrittenPlant, plant: Plant): void => {
  const faults: string[] = [];
  const note: Checks["note"] = (path, fault) => faults.push(`${at(path)}: ${fault}`);
  const known = knownIn(file, plant);
  const isOfFile = (device: string): boolean => Object.hasOwn(file.devices ?? {}, device);
  const demand: Checks["demand"] = (path, kind, name) => {
    const found = known.find(kind, name);
    if (found === undefined) note(path, `there is no ${kind} ${name}`);
    else if (isAboutDevices(kind) && plant.ambiguous.has(found) && !isOfFile(found))
      note(path, `several devices are called ${found}: give the right one an entry under devices, with its id`);
  };
  const checks: Checks = { known, note, demand };
  for (const section of plant.unreadable)
    if (file[section]) note([section], "the key's role may not read this: use a key of an owner or admin");
  for (const [name, device] of entriesOf(file.devices)) {
    checkUnit(checks, name, device, plant);
    checkDevice(checks, name, device, plant);
  }
  for (const [name, { tiles }] of entriesOf(file.dashboards)) checkTiles(checks, tiles, ["dashboards", name, "tiles"]);
  checkContacts(checks, file.contacts, plant);
  checkPeople(checks, file, plant);
  checkWebhooks(checks, file, plant);
  checkUses(checks, file);
  checkDefaults(checks, file, plant);
  if (faults.length > 0) throw new BadFile(faults);
};
