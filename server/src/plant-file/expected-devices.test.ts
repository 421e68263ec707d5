import { devices } from "@telltale/contract/domains/devices";
import { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anOwner } from "../test/test-people.ts";
import { apply, exported, keyOf, planOf } from "../test/test-plant-file.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { readDevicesCsv } from "./read-csv.ts";
import { readPlantFile } from "./read-file.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const aPlant = async () => keyOf(server, await anOwner(server.world));

const file = `
devices:
  Pump 1: { serial: SN-1, model: MIX, offlineAfter: 15, channels: { AI1: { name: Level } } }
  Pump 2: { serial: SN-2, model: AIS }
dashboards:
  Hall: { default: true, tiles: [Pump 1/AI1, Pump 2/AI1] }
`;

test("devices that will register themselves are in the plant with their settings, and again changes nothing", async () => {
  const client = await aPlant();
  expect(await apply(client, file)).toMatchObject({ refused: [] });
  expect((await client(provisioning.serials, {})).data.map(({ serial }) => serial)).toEqual(["SN-1", "SN-2"]);
  expect((await client(provisioning.expected, {})).data).toMatchObject([
    { serial: "SN-1", deviceName: "Pump 1", apiKeyName: "Configuration", announcedBy: "Olga Tester" },
    { serial: "SN-2", deviceName: "Pump 2", apiKeyName: "Configuration" },
  ]);
  const { data } = await client(devices.list, {});
  expect(new Set(data.map(({ deviceName, deviceSn }) => `${deviceName} ${deviceSn}`))).toEqual(
    new Set(["Pump 1 MIX-420-10", "Pump 2 AIS-420-16"]),
  );
  expect(await planOf(client, file)).toEqual([]);
  expect(await apply(client, file)).toEqual({ changed: 0, partly: 0, refused: [] });
});

test("what is exported is equal after it was applied to another plant, and a device is renamed by its serial number", async () => {
  const [one, other] = [await aPlant(), await aPlant()];
  await apply(one, file);
  const written = await exported(one);
  expect(written).toContain("serial: SN-1");
  await apply(other, written);
  expect(await exported(other)).toBe(written);
  await apply(one, file.replaceAll("Pump 1", "Feed pump"));
  expect((await one(devices.list, {})).data.map(({ deviceName }) => deviceName).toSorted()).toEqual([
    "Feed pump",
    "Pump 2",
  ]);
});

test("a channel that the model does not have is refused before anything is added", async () => {
  const client = await aPlant();
  await expect(
    apply(client, "devices:\n  Pump: { serial: SN-1, model: AIS, channels: { AI9: { name: Level } } }\n"),
  ).rejects.toThrow(
    "plant.yaml:2: devices / Pump / channels / AI9: there is no channel Pump/AI9: the device has AI1, AI2, AI3, AI4",
  );
  expect((await client(devices.list, {})).data).toEqual([]);
});

test("a device does not become another one: the plan refuses another model and serial number", async () => {
  const client = await aPlant();
  await apply(client, file);
  await expect(planOf(client, file.replace("model: AIS", "model: DIS"))).rejects.toThrow(
    "plant.yaml:4: devices / Pump 2 / model: Pump 2 has the P/N AIS-420-16 in the plant",
  );
  await expect(planOf(client, file.replace("SN-2", "SN-3"))).rejects.toThrow(
    "plant.yaml:4: devices / Pump 2 / serial: Pump 2 is SN-2 in the plant",
  );
});

test("what is refused of a new device is told with what was done, and a device that is not there with its reason", async () => {
  const client = await aPlant();
  const entries = [
    "Pump: { serial: SN-1, model: AIS, channels: { AI1: { settings: { ZERO: 900 } } } }",
    "Mill: { id: 7C9E0000FFFF, channels: { AI1: { name: Level } } }",
  ];
  const { refused, ...counts } = await apply(client, `devices:\n  ${entries.join("\n  ")}\n`);
  expect(refused).toEqual([
    expect.stringMatching(/^plant\.yaml:2: devices \/ Pump: it was added, but not wholly: /),
    "plant.yaml:3: devices / Mill: There is no device with this ID. Please compare it with the label on the unit",
  ]);
  expect(counts).toEqual({ changed: 0, partly: 1 });
});

test("a CSV has them in the columns serial and model", async () => {
  const client = await aPlant();
  const csv = readDevicesCsv("devices.csv", "name;serial;model;AI1 name\nPump 1;SN-1;MIX;Level\nPump 2;SN-2;AIS;\n");
  expect(await apply(client, csv)).toMatchObject({ refused: [] });
  expect((await client(provisioning.serials, {})).data).toHaveLength(2);
});

test.each([
  ["Pump: {}", "give it an id, or a serial number and its model"],
  ["Pump: { id: 7C9E00000001, serial: SN-1, model: MIX }", "give it an id, or a serial number and its model"],
  ["Pump: { serial: SN-1 }", "serial and model are given together"],
  ["Pump: { id: 7C9E00000001, model: MIX }", "serial and model are given together"],
  ["Pump: { serial: SN-1, model: MPA2 }", "it is one of AIS, DIS, DOS, MIX, VBS"],
  ["Pump: { serial: SN-1, model: MIX, master: Hub }", "sub-devices don't register themselves"],
  [
    "Pump: { serial: SN-1, model: MIX }\n  Twin: { serial: SN-1, model: MIX }",
    "SN-1 is the serial number of Pump already",
  ],
])("%s is refused with its line: %s", (entry, sentence) => {
  expect(() => readPlantFile("plant.yaml", `devices:\n  ${entry}\n`)).toThrow(sentence);
});
