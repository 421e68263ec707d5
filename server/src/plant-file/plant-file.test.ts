import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@telltale/contract/call/client";
import { alarms } from "@telltale/contract/domains/alarms";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { Analog } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { fieldOf } from "../platform/fault.ts";
import { root } from "../platform/installed.ts";
import { aDevice, anUnclaimedDevice } from "../test/test-devices.ts";
import { aDeviceManager, anOwner } from "../test/test-people.ts";
import { apply, exported, keyOf, planOf } from "../test/test-plant-file.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { PlantFile } from "./document/document.ts";
import { readPlantFile } from "./read-file.ts";

let server: TestServer;
let other: TestServer;

beforeAll(async () => {
  [server, other] = await Promise.all([startTestServer(), startTestServer()]);
});
afterAll(() => Promise.all([server.close(), other.close()]));

const ids = { pump: "7C9E00000001", motor: "7C9E00000002", twin: "7C9E00000003" };

/** A plant with something of every section, and two devices of one name. */
const aPlant = async (at: TestServer): Promise<Client> => {
  const owner = await anOwner(at.world);
  const client = await keyOf(at, owner);
  const pump = await aDevice(at.world, owner, { name: "Pump", deviceSnId: ids.pump });
  const sub = { deviceType: DeviceType.sub, parentDeviceId: pump.deviceId };
  const motor = await aDevice(at.world, owner, {
    name: "Motor",
    model: Model.motorController,
    deviceSnId: ids.motor,
    ...sub,
  });
  await aDevice(at.world, owner, { name: "Pump", deviceSnId: ids.twin });
  const { notifyUserId } = await client(contacts.add, {
    ...{ type: 1, firstName: "Nora", lastName: "Quist", contactInfo: "nora@example.test", mayConfirm: 1 },
  });
  const { AI1 = 0, AI2 = 0 } = pump.channels;
  await client(channelSettings.modify, {
    deviceId: pump.deviceId,
    payload: [
      { channelId: AI1, channelName: "Pressure", channelKeys: { "Higher Alarm": 8, "Higher Alarm Hysteresis": 0.5 } },
    ],
  });
  const { alarmId } = await client(alarms.add, {
    ...{ alarmName: "Well high", alarmClass: AlertClass.custom, deviceId: pump.deviceId, deviceChannelId: AI1 },
    ...{ type: AlertType.high, alarmValue: 7, alarmHysteresis: 0.5, notifyUserIds: [notifyUserId], onDelay: 60 },
    ...{ gateChannelId: AI2, gateType: GateType.above, gateValue: 1, startUp: 5, response: "Rake it", priority: 1 },
  });
  const { "I A": phase = 0 } = motor.channels;
  const { dashboardGroupId } = await client(dashboards.editGroup, {
    ...{ groupName: "Currents", icon: Analog.other, deviceId: motor.deviceId, deviceChannelIds: [phase] },
  });
  const { dashboardId } = await client(dashboards.edit, {
    ...{ name: "Hall", notes: "By the door", status: 1, deviceChannelIds: [AI1] },
    ...{ dashboardGroupIds: [dashboardGroupId], deviceIds: [motor.deviceId] },
  });
  await client(users.add, {
    ...{ firstName: "Vera", lastName: "Lund", email: "vera@example.test", type: Role.viewer },
    ...{ dashboardId, alarmIds: [alarmId] },
  });
  return client;
};

const withStock = async (at: TestServer): Promise<Client> => {
  const owner = await anOwner(at.world);
  await anUnclaimedDevice(at.world, { deviceSnId: ids.pump });
  await anUnclaimedDevice(at.world, {
    deviceSnId: ids.motor,
    model: Model.motorController,
    deviceType: DeviceType.sub,
  });
  await anUnclaimedDevice(at.world, { deviceSnId: ids.twin });
  return keyOf(at, owner);
};

describe("a plant file", () => {
  let text: string;
  let client: Client;
  beforeAll(async () => {
    client = await aPlant(server);
    text = await exported(client);
  });

  test("says the plant by names, without secrets and ids of rows", () => {
    expect(text).toContain("channel: Pump/AI2");
    expect(text).toContain("- Pump/AI1");
    expect(text).toContain("- group: Motor/Currents");
    expect(text).toContain("- Pump/Well high");
    expect(text).not.toMatch(/[tT]oken|[pP]assword|[sS]ecret|Id:/);
  });

  test("that was just exported changes nothing", async () => {
    expect(await planOf(client, text)).toEqual([]);
    expect(await apply(client, text)).toEqual({ changed: 0, partly: 0, refused: [] });
  });

  test("applied to an empty plant makes it equal, and applied again changes nothing", async () => {
    const empty = await withStock(other);
    const first = await apply(empty, text);
    expect(first.refused).toEqual([]);
    expect(await exported(empty)).toBe(text);
    expect(await apply(empty, text)).toEqual({ changed: 0, partly: 0, refused: [] });
  });

  test("shows a change as one reads it, makes it, and the audit log names key and member", async () => {
    const wanted = text.replace("Higher Alarm: 8", "Higher Alarm: 9").replace("notes: By the door", "notes: Hall 2");
    expect(await planOf(client, wanted)).toEqual([
      "~ devices / Pump / channels / AI1 / settings / Higher Alarm: 8 -> 9",
      "~ dashboards / Hall / notes: By the door -> Hall 2",
    ]);
    expect(await apply(client, wanted)).toEqual({ changed: 2, partly: 0, refused: [] });
    expect(await planOf(client, wanted)).toEqual([]);
    const { data } = await client(audit.list, {});
    expect(JSON.stringify(data.slice(0, 2))).toContain("Configuration");
    expect(await apply(client, text)).toEqual({ changed: 2, partly: 0, refused: [] });
  });

  test("leaves what an alert's entry does not say as it is", async () => {
    const alert = "alerts: { Well high: { channel: AI1, notify: [nora@example.test], priority: P2 } }";
    const part = `devices: { Pump: { id: ${ids.pump}, ${alert} } }`;
    expect(await planOf(client, part)).toEqual(["~ devices / Pump / alerts / Well high / priority: P1 -> P2"]);
    expect(await apply(client, part)).toEqual({ changed: 1, partly: 0, refused: [] });
    expect(await planOf(client, text)).toEqual(["~ devices / Pump / alerts / Well high / priority: P2 -> P1"]);
    expect(await apply(client, text)).toEqual({ changed: 1, partly: 0, refused: [] });
  });

  test("names a device otherwise: it is renamed, and what refers to it stays", async () => {
    const wanted = text.replaceAll(/\bMotor\b/g, "Feed motor");
    expect(await planOf(client, wanted)).toEqual(["~ devices / Feed motor / name: Motor -> Feed motor"]);
    expect(await apply(client, wanted)).toEqual({ changed: 1, partly: 0, refused: [] });
    expect(await planOf(client, wanted)).toEqual([]);
    expect(await apply(client, text)).toEqual({ changed: 1, partly: 0, refused: [] });
  });

  test("swaps the names of two devices, and of none that stays", async () => {
    const [pump, motor] = [`{ id: ${ids.pump} }`, `{ id: ${ids.motor} }`];
    const swapped = `devices: { Pump: ${motor}, Motor: ${pump} }`;
    expect(await planOf(client, swapped)).toEqual([
      "~ devices / Pump / name: Motor -> Pump",
      "~ devices / Motor / name: Pump -> Motor",
    ]);
    expect(await apply(client, swapped)).toEqual({ changed: 2, partly: 0, refused: [] });
    expect(await planOf(client, swapped)).toEqual([]);
    expect(await apply(client, text)).toEqual({ changed: 2, partly: 0, refused: [] });
    expect(await exported(client)).toBe(text);
  });

  test("that names one of two devices of a name has to say which", async () => {
    const wanted = "dashboards: { Roof: { tiles: [Pump/AI1] } }";
    await expect(planOf(client, wanted)).rejects.toThrow(
      "plant.yaml:1: dashboards / Roof / tiles / 0: several devices are called Pump: give the right one an entry under devices, with its id",
    );
    expect(await planOf(client, `${wanted}\ndevices: { Pump: { id: ${ids.pump} } }`)).toHaveLength(1);
  });

  test("of a device manager's key leaves out what that role may not read, and says so when the file has it", async () => {
    const manager = await aDeviceManager(server.world, { plantId: (await client(apiKeys.holder, {})).plantId });
    const key = await keyOf(server, manager, Role.deviceManager);
    const part = await exported(key);
    expect(part).toContain("Well high");
    expect(part).not.toMatch(/^(users|webhooks|plans|rosters):/m);
    expect(await planOf(key, part)).toEqual([]);
    await expect(planOf(key, text)).rejects.toThrow(/: users: the key's role may not read this/);
  });

  test("that is refused in one entry says so with its line, and applies the others", async () => {
    const wanted = text.replace(/ value: 7$/m, " value: 700").replace("notes: By the door", "notes: Hall 3");
    const { changed, refused } = await apply(client, wanted);
    expect(changed).toBe(1);
    expect(refused).toEqual([expect.stringMatching(/^plant\.yaml:\d+: devices \/ Pump: /)]);
    await apply(client, text);
  });
});

test("the example of the guide is a plant file, and the schema for editors explains each of its sections", async () => {
  const guide = await readFile(join(root, "docs/guide/programs.md"), "utf8");
  const [, example = ""] = /```yaml\n(contacts:[^`]+)```/.exec(guide) ?? [];
  const { file } = readPlantFile("plant.yaml", example);
  const { properties = {} } = z.toJSONSchema(PlantFile);
  expect(Object.keys(file).toSorted()).toEqual(Object.keys(properties).toSorted());
  for (const section of Object.values(properties)) expect(fieldOf(section, "description")).toBeTruthy();
});

describe("a file that is not right changes nothing and names line and path", () => {
  const device = "devices:\n  Pump:\n    id: A1\n";
  test("of many faults the first twenty are told, and how many more there are", () => {
    const many = Array.from({ length: 1000 }, (_, n) => `  D${n}: { id: D${n}, colour: red }\n`).join("");
    const told = () => readPlantFile("plant.yaml", `devices:\n${many}`);
    expect(told).toThrow(/^plant\.yaml:2: (?:.*\n){20}… and 980 more$/);
  });

  test.each([
    ["no YAML", "devices: [", /^plant\.yaml:1: /],
    [
      "an unknown field",
      `${device}    colour: red\n`,
      /^plant\.yaml:4: devices \/ Pump \/ colour: there is no such field: colour$/,
    ],
    [
      "one ID twice",
      `${device}  Twin:\n    id: A1\n`,
      /^plant\.yaml:5: devices \/ Twin \/ id: A1 is the ID of Pump already$/,
    ],
    [
      "a name with a space at its end",
      'dashboards:\n  "Hall ": { tiles: [] }\n',
      /^plant\.yaml:2: .*a name cannot begin or end with a space$/,
    ],
    [
      "an alert without a channel",
      `${device}    alerts: { High: { notify: [] } }\n`,
      /alerts \/ High \/ channel: it is missing$/,
    ],
    [
      "a missing field",
      "devices:\n  Pump:\n    offlineAfter: 3\n",
      /^plant\.yaml:2: devices \/ Pump: give it an id, or a serial number and its model$/,
    ],
    [
      "a field of a device whose name is a number",
      "devices:\n  12:\n    id: A1\n    colour: red\n",
      /^plant\.yaml:4: devices \/ 12 \/ colour: there is no such field: colour$/,
    ],
    [
      "an item of a list",
      "dashboards:\n  Hall:\n    tiles:\n      - Pump/AI1\n      - 3\n",
      /^plant\.yaml:5: dashboards \/ Hall \/ tiles \/ 1: it is DEVICE/,
    ],
    [
      "what would be left out",
      "devices:\n  __proto__:\n    id: A1\n",
      /^plant\.yaml:2: nothing can be called __proto__$/,
    ],
    ["a wrong word", "users:\n  a@b.de: { firstName: A, lastName: B, role: boss }\n", /role: it is one of admin, /],
    [
      "an unknown setting",
      `${device}    channels: { AI1: { settings: { Higher: 3 } } }\n`,
      /^plant\.yaml:4: devices \/ Pump \/ channels \/ AI1 \/ settings/,
    ],
  ])("%s", (_what, text, fault) => {
    expect(() => readPlantFile("plant.yaml", text)).toThrow(fault);
  });

  test.each([
    [
      "a channel of no device",
      "dashboards:\n  Hall:\n    tiles: [Nowhere/AI1]\n",
      "plant.yaml:3: dashboards / Hall / tiles / 0: there is no channel Nowhere/AI1",
    ],
    [
      "a group of no controller",
      `${device}dashboards:\n  Hall:\n    tiles: [{ group: Pump/Currents }]\n`,
      "plant.yaml:6: dashboards / Hall / tiles / 0: there is no group Pump/Currents",
    ],
    [
      "two dashboards that are the default",
      "dashboards:\n  Hall: { default: true, tiles: [] }\n  Roof: { default: true, tiles: [] }\n",
      "plant.yaml:3: dashboards / Roof / default: Hall is the default already",
    ],
    [
      "an unknown contact",
      `${device}    alerts: { High: { channel: AI1, type: high, notify: [x@y.de] } }\n`,
      "there is no contact x@y.de",
    ],
    [
      "an unknown dashboard",
      "users:\n  a@b.de: { firstName: A, lastName: B, role: viewer, dashboard: Roof }\n",
      "there is no dashboard Roof",
    ],
  ])("%s", async (_what, text, fault) => {
    const client = await keyOf(server, await anOwner(server.world));
    await expect(apply(client, text)).rejects.toThrow(fault);
  });
});
