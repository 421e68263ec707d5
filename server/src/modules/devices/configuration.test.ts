import type { Client } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { topics } from "@telltale/contract/device-api";
import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { deviceConfiguration, UpdateEffect } from "@telltale/contract/domains/device-configuration";
import { DeviceStatus, DeviceType, devices, Model } from "@telltale/contract/domains/devices";
import type { FastifyInstance } from "fastify";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { rpcDevice } from "../../test/rpc-device.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { aDeviceManager, anOwner, aSupportView, type Person } from "../../test/test-people.ts";
import { clientsOf } from "../../test/test-server.ts";

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

let world: DeviceWorld;
let app: FastifyInstance;
let owner: Person;
let as: Client;
let station: TestDevice;

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world, { callDevice: world.gateway.callDevice });
});
beforeEach(async () => {
  owner = await anOwner(world);
  as = clientsOf(app)(owner);
  station = await aDevice(world, owner, { name: "Pump house", model: Model.mixed });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

let second = 0;
const report = (client: MqttClient, values: Record<string, number>) => {
  second += 1;
  return client.publishAsync(topics.telemetry, JSON.stringify({ ts: world.clock.now() + second, values }), { qos: 1 });
};
const rowOf = async ({ deviceId }: { deviceId: number }) => {
  const { data } = await as(devices.list);
  return data.flatMap((row) => [row, ...row.subDevices]).find((row) => row.deviceId === deviceId);
};
const auditOf = async (action: string) => (await as(audit.list)).data.filter((entry) => entry.action === action);
const update = (input: Record<string, unknown>) =>
  as(deviceConfiguration.update, { deviceId: station.deviceId, ...input } as never);
const setDisabled = (isDisabled: 0 | 1, { deviceSnId }: { deviceSnId: string } = station) =>
  as(deviceConfiguration.updateStatus, { deviceSnId, isDisabled });
const refusalsOf = async ({ deviceId }: TestDevice, reason: string): Promise<number> => {
  await world.telemetry.refusals.flush();
  const { rows } = await world.pool.query<{ count: number }>(
    "SELECT coalesce(sum(count), 0)::int AS count FROM device_refusals WHERE device_id = $1 AND reason = $2",
    [deviceId, reason],
  );
  return rows[0]?.count ?? 0;
};

describe("editing a device", () => {
  test("changes name and offline time, in the lists and in the log", async () => {
    const before = await rowOf(station);
    expect(await update({ deviceName: "Pump house 3", offlineReport: 5, version: before?.version })).toEqual({
      effect: UpdateEffect.changed,
      version: 2,
    });
    expect(await rowOf(station)).toMatchObject({ deviceName: "Pump house 3", offlineReport: 5, version: 2 });
    const [entry] = await auditOf("device.edit");
    expect(entry?.changes).toEqual(
      expect.arrayContaining([{ field: "deviceName", before: "Pump house", after: "Pump house 3" }]),
    );
  });

  test("tells the second of two editors, and saves nothing of theirs", async () => {
    await update({ deviceName: "First", version: 1 });
    await expect(update({ deviceName: "Second", version: 1 })).rejects.toEqual(
      refusal(Code.conflict, Message.changedMeanwhile),
    );
    expect(await rowOf(station)).toMatchObject({ deviceName: "First" });
  });

  test("says what is wrong in the specification's words", async () => {
    const post = async (fields: Record<string, string>) =>
      (
        await app.inject({
          method: "POST",
          url: `${deviceConfiguration.update.path}?token=${owner.token}`,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          payload: new URLSearchParams({ deviceId: String(station.deviceId), ...fields }).toString(),
        })
      ).json<{ code: number; msg: string }>();
    await world.db
      .updateTable("devices")
      .set({ report_interval_limit: 10 })
      .where("device_id", "=", station.deviceId)
      .execute();
    for (const [fields, msg] of [
      [{ deviceName: " " }, "DEVICE NAME Cannot be blank"],
      [{ offlineReport: "0" }, "Offline reporting time has to be a whole number from 1 to 1440"],
      [{ offlineReport: "1441" }, "Offline reporting time has to be a whole number from 1 to 1440"],
      [{ offlineReport: "1.5" }, "Offline reporting time has to be a whole number from 1 to 1440"],
      [{ periodicity: "" }, "Enter the report interval in whole seconds"],
      [{ periodicity: "9" }, "Cannot be less than: 10"],
      [{ periodicity: "43201" }, "Cannot be greater than: 43200"],
      [{}, "There are no changes"],
    ] as const)
      expect(await post(fields), JSON.stringify(fields)).toMatchObject({ code: Code.invalid, msg });
  });

  test("a changed offline time applies at once", async () => {
    const client = await world.mqtt(station.accessToken);
    await report(client, { AI1: 50 });
    await update({ offlineReport: 1 });
    world.clock.pass(61_000);
    await world.telemetry.offlineWatch.run();
    expect(await rowOf(station)).toMatchObject({ status: DeviceStatus.offline });
  });

  test("is nothing for a support view, nor in another plant", async () => {
    const support = clientsOf(app)(await aSupportView(world, owner));
    const stranger = clientsOf(app)(await anOwner(world));
    const input = { deviceId: station.deviceId, deviceName: "Mine" };
    const switched = { deviceSnId: station.deviceSnId, isDisabled: 1 } as const;
    await expect(support(deviceConfiguration.update, input)).rejects.toEqual(refusal(Code.notAllowed));
    await expect(support(deviceConfiguration.updateStatus, switched)).rejects.toEqual(refusal(Code.notAllowed));
    await expect(stranger(deviceConfiguration.update, input)).rejects.toEqual(refusal(Code.notFound));
    await expect(stranger(deviceConfiguration.updateStatus, switched)).rejects.toEqual(refusal(Code.notFound));
    expect(await rowOf(station)).toMatchObject({ deviceName: "Pump house", isDisabled: false });
  });
});

describe("disabling a device", () => {
  test("refuses and counts its readings, ends its connection and its alerts; enabling lets all flow again", async () => {
    const client = await world.mqtt(station.accessToken);
    await report(client, { AI1: 99 });
    expect(await rowOf(station)).toMatchObject({ status: DeviceStatus.alert });
    const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
    await setDisabled(1);
    await closed;
    expect(await rowOf(station)).toMatchObject({ status: DeviceStatus.inactive, isDisabled: true });
    expect((await as(alerts.unconfirmed)).filter(({ deviceId }) => deviceId === station.deviceId)).toEqual([]);

    const again = await world.mqtt(station.accessToken);
    await report(again, { AI1: 50, AI2: 20 });
    expect(await world.readings(station, "AI1")).toHaveLength(1);
    expect(await refusalsOf(station, "device_disabled")).toBe(1);

    await setDisabled(0);
    expect(await rowOf(station)).toMatchObject({ isDisabled: false });
    await vi.waitFor(async () => {
      await report(again, { AI1: 51 });
      expect((await world.readings(station, "AI1")).length).toBeGreaterThan(1);
    });
    expect(await rowOf(station)).toMatchObject({ status: DeviceStatus.normal });
    expect((await auditOf("device.disable")).length + (await auditOf("device.enable")).length).toBe(2);
  });

  test("is idempotent", async () => {
    await setDisabled(1);
    await setDisabled(1);
    expect(await auditOf("device.disable")).toHaveLength(1);
  });
});

describe("restarting a device", () => {
  test("reaches it as a command, and is written down", async () => {
    const { received } = await rpcDevice(world, station, () => ({ success: true }));
    expect(await update({ periodicity: 60 })).toEqual({ effect: UpdateEffect.restarted, version: 1 });
    expect(received.filter(({ content }) => content.method === "restart")).toHaveLength(1);
    expect((await auditOf("device.restart"))[0]?.changes).toEqual([
      { field: "outcome", before: null, after: "restarted" },
    ]);
  });

  test("says that a device is not connected", async () => {
    await expect(update({ periodicity: 60 })).rejects.toEqual(
      refusal(Code.conflict, "Pump house is not connected. It can be restarted when it is online"),
    );
    expect((await auditOf("device.restart"))[0]?.changes).toEqual([
      { field: "outcome", before: null, after: "not connected" },
    ]);
  });

  test("goes to a sub-device through its master", async () => {
    const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
    const bearing = await aDevice(world, owner, { name: "Bearing", model: Model.vibration, ...sub });
    const master = await world.mqtt(station.accessToken);
    await master.subscribeAsync(topics.gateway.rpc, { qos: 1 });
    master.on("message", (_topic, payload) => {
      const { device, data } = JSON.parse(payload.toString());
      master.publish(topics.gateway.rpc, JSON.stringify({ device, id: data.id, data: { success: true } }), { qos: 1 });
    });
    const input = { deviceId: bearing.deviceId, periodicity: 60 };
    expect(await as(deviceConfiguration.update, input)).toMatchObject({ effect: UpdateEffect.restarted });
  });
});

describe("another report interval", () => {
  test("goes down to the device, and every channel begins a settings period with it", async () => {
    const { received } = await rpcDevice(world, station);
    expect(await update({ periodicity: 900 })).toEqual({ effect: UpdateEffect.changed, version: 2 });
    await expect
      .poll(() => received.filter(({ topic }) => topic === topics.attributes).map(({ content }) => content))
      .toContainEqual(
        expect.objectContaining({
          reportInterval: 900,
          channels: expect.objectContaining({ AI1: expect.objectContaining({ reportInterval: 900, staticData: 900 }) }),
        }),
      );
    const { rows } = await world.pool.query(
      "SELECT count(*)::int AS count FROM settings_periods WHERE channel_id = $1",
      [station.channels.AI1],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  test("is shown as what the channels that are on report by: one interval, or the range where they differ", async () => {
    const { deviceId, channels: ids } = station;
    const shown = async () => {
      const { deviceInfo } = await as(devices.detail, { deviceId });
      const header = await as(devices.header, { deviceId });
      expect(header.reportIntervals).toEqual(deviceInfo.reportIntervals);
      return deviceInfo.reportIntervals;
    };
    const own = (channelId: number | undefined, seconds: number) =>
      as(channelSettings.modify, {
        deviceId,
        payload: [{ channelId: channelId ?? 0, channelKeys: { "Report Interval": seconds } }],
      });
    await update({ periodicity: 60, offlineReport: 30 });
    expect(await shown()).toEqual({ least: 60, most: 60 });
    await own(ids.AI1, 5);
    await own(ids.AI2, 120);
    expect(await shown()).toEqual({ least: 5, most: 120 });
    await as(channelSettings.modifyBasic, { channelId: ids.AI1 ?? 0, channelSwitch: 0 });
    expect(await shown(), "a channel that is off reports nothing").toEqual({ least: 60, most: 120 });
  });

  test("goes down to a sub-device through its master", async () => {
    const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
    const bearing = await aDevice(world, owner, { name: "Bearing", model: Model.vibration, ...sub });
    const { received } = await rpcDevice(world, station);
    await as(deviceConfiguration.update, { deviceId: bearing.deviceId, periodicity: 120 });
    await expect
      .poll(() => received.filter(({ topic }) => topic === topics.gateway.attributes).map(({ content }) => content))
      .toContainEqual({ device: bearing.deviceSnId, data: expect.objectContaining({ reportInterval: 120 }) });
  });

  test("that is sent twice restarts nothing", async () => {
    await rpcDevice(world, station, () => ({ success: true }));
    await update({ periodicity: 30, version: 1 });
    await expect(update({ periodicity: 30, version: 1 })).rejects.toEqual(
      refusal(Code.conflict, Message.changedMeanwhile),
    );
  });
});

test("a device manager edits and does not delete", async () => {
  const manager = clientsOf(app)(await aDeviceManager(world, owner));
  const { deviceId } = station;
  await manager(deviceConfiguration.update, { deviceId, deviceName: "By the manager" });
  await expect(manager(deviceConfiguration.remove, { deviceId })).rejects.toEqual(refusal(Code.notAllowed));
});
