import type { Client } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { topics } from "@telltale/contract/device-api";
import { AlertType, alerts } from "@telltale/contract/domains/alerts";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { DeviceStatus, DeviceType, devices, Model } from "@telltale/contract/domains/devices";
import { joint } from "@telltale/contract/domains/joint";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "../../app.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { createMonths } from "../../telemetry/packing/months.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOrder } from "../../test/test-orders.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { partOf } from "../../test/test-readings.ts";
import { clientsOf } from "../../test/test-server.ts";
import { settle } from "../joint/settle-queries.ts";
import { createDeletedDevicesJob } from "./remove/purge-job.ts";

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

let world: DeviceWorld;
let app: FastifyInstance;
let owner: Person;
let as: Client;
let station: TestDevice;

const job = () => createDeletedDevicesJob(world);
/** Waits until work in progress at a deletion is finished. */
const settled = async () => {
  world.clock.pass(180_000);
  return job().run();
};

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world, { callDevice: world.gateway.callDevice });
});
beforeEach(async () => {
  await settled(); // deletions of the previous test
  owner = await anOwner(world);
  as = clientsOf(app)(owner);
  station = await aDevice(world, owner, { name: "Pump house", model: Model.mixed });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const disable = ({ deviceSnId }: TestDevice) => as(deviceConfiguration.updateStatus, { deviceSnId, isDisabled: 1 });
const remove = ({ deviceId }: { deviceId: number }) => as(deviceConfiguration.remove, { deviceId });
const countOf = async (table: string, column: "device_id" | "channel_id", ids: number[]): Promise<number> => {
  const { rows } = await world.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = ANY($1)`,
    [ids],
  );
  return rows[0]?.count ?? 0;
};
/** Readings of a year, packed by the hour. */
const fillHistory = async (device: TestDevice, hours: number): Promise<void> => {
  await inTransaction(world.pool, (client) =>
    createMonths(
      client,
      Array.from({ length: hours }, (_, at) => 480_000 + at),
    ),
  );
  const part = partOf(device.deviceId);
  for (const channelId of Object.values(device.channels)) {
    const every = "FROM generate_series(480000, 480000 + $2::int - 1) AS hour";
    await world.pool.query(
      `INSERT INTO packed_hours (${part.column}channel_id, hour, count, steps, values) SELECT ${part.value}$1, hour, 3, '{0,1000,1000}', '{1,2,3}' ${every}`,
      [channelId, hours],
    );
    await world.pool.query(
      `INSERT INTO hour_summaries (${part.column}channel_id, hour, count, min, max, sum) SELECT ${part.value}$1, hour, 3, 1, 3, 6 ${every}`,
      [channelId, hours],
    );
  }
};
test("a device is deleted only when it is disabled or inactive, and has no sub-devices", async () => {
  const client = await world.mqtt(station.accessToken);
  await client.publishAsync(topics.telemetry, '{"AI1": 50}', { qos: 1 });
  await expect(remove(station)).rejects.toEqual(refusal(Code.invalid, "Disable op before deleting the device"));
  const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
  const bearing = await aDevice(world, owner, { name: "Bearing", model: Model.vibration, ...sub });
  await disable(station);
  await expect(remove(station)).rejects.toEqual(refusal(Code.invalid, "Delete the sub-device of this device first"));
  await remove(bearing);
  await remove(station);
  expect((await as(devices.list)).data).toEqual([]);
  await expect(remove(station)).rejects.toEqual(refusal(Code.notFound));
});

test("everything of a deleted device is gone for the plant at once, and from the database soon after", async () => {
  const client = await world.mqtt(station.accessToken);
  await client.publishAsync(topics.telemetry, '{"AI1": 99}', { qos: 1 });
  await fillHistory(station, 1_200);
  const { deviceId } = station;
  const { AI1: channelId = 0 } = station.channels;
  await aDashboard(world, owner, { isDefault: true, channels: [channelId] });
  const { orderSn } = await anOrder(world, owner, deviceId);
  expect((await as(alerts.log)).total).toBeGreaterThan(0);
  expect(await as(dashboards.tiles)).toHaveLength(1);
  const channelIds = Object.values(station.channels);

  await disable(station);
  await remove(station);
  expect((await as(alerts.log)).data).toEqual([]);
  expect((await as(alerts.notifications)).data).toEqual([]);
  expect(await as(dashboards.tiles)).toEqual([]);
  await expect(as(devices.detail, { deviceId })).rejects.toEqual(refusal(Code.notFound));

  expect(await job().run(), "its readings may still be under way").toBe(0);
  expect(await settled()).toBe(1);
  for (const table of ["packed_hours", "hour_summaries", "latest", "settings_periods", "channels"])
    expect(await countOf(table, "channel_id", channelIds), table).toBe(0);
  for (const table of [
    "chunks",
    "stored_months",
    "devices",
    "alerts",
    "device_refusals",
    "listed_devices",
    "deleted_devices",
    "device_settings",
  ])
    expect(await countOf(table, "device_id", [deviceId]), table).toBe(0);
  expect((await world.pool.query("SELECT FROM batches WHERE $1 = ANY(device_ids)", [deviceId])).rowCount).toBe(0);
  const order = await world.db.selectFrom("orders").selectAll().where("order_sn", "=", orderSn).executeTakeFirst();
  expect(order, "the ledger is kept").toMatchObject({ device_id: deviceId, device_name: "Device" });
});

test("the unit can be added again by its ID at once, with nothing of its past", async () => {
  const first = await world.mqtt(station.accessToken);
  await first.publishAsync(topics.telemetry, '{"AI1": 50}', { qos: 1 });
  await disable(station);
  await remove(station);
  const stranger = await anOwner(world);
  const other = clientsOf(app)(stranger);
  const { deviceSnId } = station;
  expect(await other(devices.lookUp, { deviceSnId })).toMatchObject({ deviceSn: station.deviceSn, deviceSnId });
  const { deviceId } = await other(devices.add, { deviceSnId, deviceName: "Bought used" });
  expect(deviceId).not.toBe(station.deviceId);
  expect((await other(devices.list)).data).toMatchObject([
    { deviceName: "Bought used", status: DeviceStatus.inactive },
  ]);

  const again = await world.mqtt(station.accessToken);
  await again.publishAsync(topics.telemetry, '{"AI1": 60}', { qos: 1 });
  await expect.poll(async () => (await other(devices.list)).data[0]?.status).toBe(DeviceStatus.normal);
  await settled();
  expect((await other(devices.list)).data, "the clean-up takes nothing of the new one's").toHaveLength(1);
  expect((await as(devices.list)).data).toEqual([]);
});

test("an output driven by alerts of a deleted device is released", async () => {
  const lamp = await aDevice(world, owner, { name: "Lamp", model: Model.mixed });
  const outputId = lamp.channels.DO1 ?? 0;
  const client = await world.mqtt(station.accessToken);
  await client.publishAsync(topics.telemetry, '{"AI1": 99}', { qos: 1 });
  const source = { sourceChannelId: station.channels.AI1 ?? 0, alarmType: AlertType.high };
  await as(joint.edit, { name: "Beacon", ...source, outputChannelId: outputId, level: 1 } as never);
  await world.db.transaction().execute((trx) => settle(trx, world.clock.date(), true));
  const received = () =>
    world.db
      .selectFrom("joint_commands")
      .select("level")
      .where("output_channel_id", "=", outputId)
      .orderBy("command_id")
      .execute();
  expect(await received()).toEqual([{ level: 1 }]);
  await disable(station);
  await remove(station);
  expect(await received()).toEqual([{ level: 1 }, { level: 0 }]);
});

test("a third-party device leaves no unit behind, and frees its address", async () => {
  const input = { deviceSn: "MPA2-240-32" as const, address: 7, deviceName: "Drive", parentDeviceId: station.deviceId };
  const { deviceId, deviceSnId } = await as(deviceConfiguration.addThirdParty, input);
  await remove({ deviceId });
  await expect(as(devices.lookUp, { deviceSnId })).rejects.toEqual(refusal(Code.notFound));
  await as(deviceConfiguration.addThirdParty, input);
});

test("a sub-device is not added to a master that is being deleted", async () => {
  const sub = await world.device({ deviceType: DeviceType.sub, model: Model.vibration });
  await world.db.updateTable("devices").set({ plant_id: null }).where("device_id", "=", sub.deviceId).execute();
  const input = { deviceSnId: sub.deviceSnId, deviceName: "Late", parentDeviceId: station.deviceId };
  const outcomes = await Promise.allSettled([remove(station), as(devices.add, input)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("what is deleted in the background goes on after a restart, and holds up no readings meanwhile", async () => {
  await fillHistory(station, 6_000);
  const channelIds = Object.values(station.channels);
  const busy = await aDevice(world, owner, { name: "Busy", model: Model.mixed });
  const client = await world.mqtt(busy.accessToken);
  await remove(station);
  world.clock.pass(180_000);

  const first = job();
  const running = first.run();
  let sent = 0;
  while ((await countOf("packed_hours", "channel_id", channelIds)) > 40_000) {
    sent += 1;
    await client.publishAsync(topics.telemetry, JSON.stringify({ ts: world.clock.now() + sent, values: { AI1: 1 } }), {
      qos: 1,
    });
  }
  await first.stop();
  await running;
  expect(sent, "readings are taken while it works").toBeGreaterThan(5);
  expect(await countOf("packed_hours", "channel_id", channelIds), "it was stopped before the end").toBeGreaterThan(0);
  expect(await job().run()).toBe(1);
  expect(await countOf("packed_hours", "channel_id", channelIds)).toBe(0);
  expect(await world.readings(busy, "AI1")).toHaveLength(sent);
});

test("every table that refers to a device or channel is cleaned up", async () => {
  const { rows } = await world.pool.query<{ name: string }>(
    `SELECT conrelid::regclass::text AS name FROM pg_constraint
      WHERE contype = 'f' AND confrelid IN ('devices'::regclass, 'channels'::regclass) AND confdeltype = 'a' ORDER BY 1`,
  );
  // Removed by the deletion itself, or by the job before the device. A new table cascades, or is added there and here.
  expect([...new Set(rows.map(({ name }) => name))]).toEqual([
    "alarms",
    "channels",
    "dashboard_group_channels",
    "dashboard_groups",
    "dashboard_tiles",
    "devices",
    "plants",
    "settings_periods",
  ]);
});
