import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { trends } from "@telltale/contract/domains/readings/trends";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const found = async (person: Person, find?: string) => {
  const { channels, total } = await server.as(person)(trends.find, find === undefined ? {} : { find });
  return { names: channels.map(({ deviceName, channelCn }) => `${deviceName} ${channelCn}`), total };
};

test("channels are found by their name or their device's, within the plant", async () => {
  const owner = await anOwner(server.world);
  await aDevice(server.world, owner, { name: "Pump 100%" });
  await aDevice(server.world, owner, { name: "Fan" });
  await aDevice(server.world, await anOwner(server.world), { name: "Fan of others" });
  const all = await found(owner);
  expect(all.total).toBe(all.names.length);
  expect(all.names[0]).toMatch(/^Fan /);
  expect(all.names.filter((name) => name.startsWith("Fan of"))).toEqual([]);
  expect((await found(owner, "pump 100%")).names.every((name) => name.startsWith("Pump 100%"))).toBe(true);
  expect((await found(owner, "ai2")).names).toEqual(["Fan AI2", "Pump 100% AI2"]);
  expect(await found(owner, "nothing of the kind")).toEqual({ names: [], total: 0 });
});

test("a viewer finds and opens what its dashboard shows, and nothing else", async () => {
  const owner = await anOwner(server.world);
  const shown = await aDevice(server.world, owner, { name: "Shown" });
  const hidden = await aDevice(server.world, owner, { name: "Hidden" });
  const channelId = Number(shown.channels.AI1);
  const viewer = await aViewer(server.world, owner, await aDashboard(server.world, owner, { channels: [channelId] }));
  expect((await found(viewer)).names.every((name) => name.startsWith("Shown"))).toBe(true);
  expect(await server.as(viewer)(trends.channel, { channelId })).toMatchObject({ deviceName: "Shown" });
  const refused = server.as(viewer)(trends.channel, { channelId: Number(hidden.channels.AI1) });
  await expect(refused).rejects.toMatchObject({ code: 404 });
});

test("a channel has its settings and the limits of the custom alerts that are in force", async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  const channelId = Number(device.channels.AI1);
  const alarm = (alarm_name: string, type: AlertType, alarm_value: number | null, more: object = {}) => ({
    ...{ plant_id: owner.plantId, device_id: device.deviceId, channel_id: channelId, created_time: new Date() },
    ...{ alarm_name, alarm_class: AlertClass.custom, type, alarm_value, alarm_hysteresis: 1, ...more },
  });
  await server.world.db
    .insertInto("alarms")
    .values([
      alarm("Burst main", AlertType.high, 70),
      alarm("Suction lost", AlertType.low, 2),
      alarm("Off", AlertType.high, 60, { is_enabled: false }),
      alarm("Steep", AlertType.high, 5, { condition: 2 }),
    ])
    .execute();
  const info = await server.as(owner)(trends.channel, { channelId });
  expect(info.rules).toEqual([
    { alarmName: "Burst main", type: AlertType.high, alarmValue: 70 },
    { alarmName: "Suction lost", type: AlertType.low, alarmValue: 2 },
  ]);
  expect(info.settings).toContainEqual({ name: "Higher Alarm", nameVal: "80 bar", val: 80 });
});
