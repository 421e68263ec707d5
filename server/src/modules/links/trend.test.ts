import { alertLinks } from "@telltale/contract/domains/alerting/links";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDevice } from "../../test/test-devices.ts";
import { aLink } from "../../test/test-links.ts";
import { anOwner } from "../../test/test-people.ts";
import { writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const minute = 60_000;

/** Replaces the settings of a channel: each change came into force so many minutes ago, the first before all readings. */
const changeSettings = async (channelId: number, changes: readonly (readonly [ago: number, change: object])[]) => {
  const { db, clock } = server.world;
  const ofChannel = db.selectFrom("settings_periods").selectAll().where("channel_id", "=", channelId);
  const { settings } = await ofChannel.executeTakeFirstOrThrow();
  await db.deleteFrom("settings_periods").where("channel_id", "=", channelId).execute();
  const times = changes.map(([ago]) => new Date(clock.now() - ago * minute));
  const rows = changes.map(([, change], index) => ({
    channel_id: channelId,
    ...{ start_time: times[index] ?? new Date(), end_time: times[index + 1] ?? null },
    settings: JSON.stringify({ ...(settings as object), ...change }),
  }));
  await db.insertInto("settings_periods").values(rows).execute();
  return times.map((time) => time.getTime());
};

/** A device with an alert of its first channel, raised 20 minutes ago, as its message's link shows it. */
const aPlant = async (wanted: Parameters<typeof aDevice>[2] = {}) => {
  const { world } = server;
  const owner = await anOwner(world);
  const device = await aDevice(world, owner, wanted);
  const channelId = Math.min(...Object.values(device.channels));
  const alertId = await anAlert(world, owner, { deviceId: device.deviceId, channelId, value: 1, ago: 20 });
  const link = await aLink(world, owner, alertId, owner.email);
  return { channelId, trend: async () => (await server.as()(alertLinks.info, { link })).trend };
};

const read = (channelId: number, readings: readonly (readonly [ago: number, value: number])[]) =>
  writeReadings(
    server.world,
    channelId,
    readings.map(([ago, value]) => [server.world.clock.now() - ago * minute, value]),
  );

test("the trend of a link says how often its channel was to report, by the settings of then", async () => {
  const { channelId, trend } = await aPlant();
  const [, changed = 0] = await changeSettings(channelId, [
    [6_000, { reportInterval: 60, staticData: undefined }],
    [50, { reportInterval: 10, staticData: 300 }],
  ]);
  await read(channelId, [
    [60, 5],
    [40, 6],
  ]);
  const raised = server.world.clock.now() - 20 * minute;
  expect(await trend()).toMatchObject({
    ...{ dataYs: [5, 6], count: 2, isStepped: false, from: raised - 60 * minute, to: server.world.clock.now() },
    reporting: [
      { since: 0, report: 60_000, unchanged: 0 },
      { since: changed, report: 10_000, unchanged: 300_000 },
    ],
  });
});

test("it has the readings in the unit of the alert, and no others", async () => {
  const { channelId, trend } = await aPlant();
  const [, since = 0, until = 0] = await changeSettings(channelId, [
    [6_000, { unit: "psi" }],
    [50, { unit: "bar" }],
    [10, { unit: "psi" }],
  ]);
  await read(channelId, [
    [60, 70],
    [40, 5],
    [30, 6],
    [5, 90],
  ]);
  expect(await trend()).toMatchObject({ dataYs: [5, 6], from: since, to: until - 1, reporting: [{ since }] });
});

test.each([
  ["a contact", { model: Model.digitalInput }],
  ["an output", { model: Model.digitalOutput }],
  ["a register of a motor controller", { model: Model.motorController, deviceType: DeviceType.sub }],
])("the line of %s is one of steps", async (_, wanted) => {
  const { channelId, trend } = await aPlant(wanted);
  await read(channelId, [[30, 1]]);
  expect(await trend()).toMatchObject({ isStepped: true, count: 1 });
});
