import type { Client } from "@telltale/contract/call/client";
import { alarms } from "@telltale/contract/domains/alarms";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { Analog } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboards";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { aDevice, anUnclaimedDevice } from "../test/test-devices.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { applyChanges, nameInFile } from "./apply-changes.ts";
import { differenceText } from "./differences.ts";
import { readPlantFile } from "./document.ts";
import { exportPlant } from "./export-plant.ts";
import { planChanges } from "./plan-changes.ts";
import { readPlant } from "./plant.ts";

let server: TestServer;
let other: TestServer;

beforeAll(async () => {
  [server, other] = await Promise.all([startTestServer(), startTestServer()]);
});
afterAll(() => Promise.all([server.close(), other.close()]));

const keyOf = async (at: TestServer, owner: Person): Promise<Client> => {
  const wanted = { keyName: "Configuration", roleType: Role.owner, readOnly: 0, days: 30 } as const;
  return at.byKey((await at.as(owner)(apiKeys.add, wanted)).apiKey);
};

const exported = async (client: Client): Promise<string> =>
  stringify(exportPlant(await readPlant(client, () => undefined)), { lineWidth: 0 });

const planOf = async (client: Client, text: string): Promise<string[]> => {
  const written = readPlantFile("plant.yaml", text);
  const entries = planChanges(written, await readPlant(client, nameInFile(written.file)));
  return entries.flatMap(({ differences }) => differences.map(differenceText));
};

const apply = async (client: Client, text: string) =>
  applyChanges({ client, written: readPlantFile("plant.yaml", text), onProgress: () => undefined });

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
    expect(await apply(client, text)).toEqual({ changed: 0, refused: [] });
  });

  test("applied to an empty plant makes it equal, and applied again changes nothing", async () => {
    const empty = await withStock(other);
    const first = await apply(empty, text);
    expect(first.refused).toEqual([]);
    expect(await exported(empty)).toBe(text);
    expect(await apply(empty, text)).toEqual({ changed: 0, refused: [] });
  });

  test("shows a change as one reads it, makes it, and the audit log names key and member", async () => {
    const wanted = text.replace("Higher Alarm: 8", "Higher Alarm: 9").replace("notes: By the door", "notes: Hall 2");
    expect(await planOf(client, wanted)).toEqual([
      "~ devices / Pump / channels / AI1 / settings / Higher Alarm: 8 -> 9",
      "~ dashboards / Hall / notes: By the door -> Hall 2",
    ]);
    expect(await apply(client, wanted)).toEqual({ changed: 2, refused: [] });
    expect(await planOf(client, wanted)).toEqual([]);
    const { data } = await client(audit.list, {});
    expect(JSON.stringify(data.slice(0, 2))).toContain("Configuration");
    expect(await apply(client, text)).toEqual({ changed: 2, refused: [] });
  });

  test("leaves what an alert's entry does not say as it is", async () => {
    const alert = "alerts: { Well high: { channel: AI1, notify: [nora@example.test], priority: P2 } }";
    const part = `devices: { Pump: { id: ${ids.pump}, ${alert} } }`;
    expect(await planOf(client, part)).toEqual(["~ devices / Pump / alerts / Well high / priority: P1 -> P2"]);
    expect(await apply(client, part)).toEqual({ changed: 1, refused: [] });
    expect(await planOf(client, text)).toEqual(["~ devices / Pump / alerts / Well high / priority: P2 -> P1"]);
    expect(await apply(client, text)).toEqual({ changed: 1, refused: [] });
  });

  test("names a device otherwise: it is renamed, and what refers to it stays", async () => {
    const wanted = text.replaceAll(/\bMotor\b/g, "Feed motor");
    expect(await planOf(client, wanted)).toEqual(["~ devices / Feed motor / name: Motor -> Feed motor"]);
    expect(await apply(client, wanted)).toEqual({ changed: 1, refused: [] });
    expect(await planOf(client, wanted)).toEqual([]);
    expect(await apply(client, text)).toEqual({ changed: 1, refused: [] });
  });

  test("that is refused in one entry says so with its line, and applies the others", async () => {
    const wanted = text.replace("Higher Alarm: 8", "Higher Alarm: -900").replace("notes: By the door", "notes: Hall 3");
    const { changed, refused } = await apply(client, wanted);
    expect(changed).toBe(1);
    expect(refused).toEqual([expect.stringMatching(/^plant\.yaml:\d+: devices \/ Pump: /)]);
    await apply(client, text);
  });
});

describe("a file that is not right changes nothing and names line and path", () => {
  const device = "devices:\n  Pump:\n    id: A1\n";
  test.each([
    ["no YAML", "devices: [", /^plant\.yaml:1: /],
    [
      "an unknown field",
      `${device}    colour: red\n`,
      /^plant\.yaml:4: devices \/ Pump \/ colour: there is no such field: colour$/,
    ],
    [
      "a missing field",
      "devices:\n  Pump:\n    offlineAfter: 3\n",
      /^plant\.yaml:2: devices \/ Pump \/ id: it is missing$/,
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
