import { channels, ReadingStatus } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, aReading } from "../../test/test-devices.ts";
import { anOwner, aViewer } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });

describe("a device's channels", () => {
  test("are grouped by name, in order", async () => {
    const owner = await anOwner(server.world);
    const { deviceId } = await aDevice(server.world, owner, { model: Model.mixed });
    const groups = await server.as(owner)(channels.grouped, { deviceId });
    expect(groups.map((group) => [group.name, group.channels.map((channel) => channel.channelCn)])).toEqual([
      ["AI", ["AI1", "AI2", "AI3", "AI4", "TEMP", "HUM"]],
      ["DI", ["DI1", "DI2", "DI3", "DI4"]],
      ["DO", ["DO1", "DO2"]],
    ]);
    expect(groups[0]?.channels[0]).toMatchObject({ channelType: 1, channelAnalogId: 1, unit: "bar", channelSwitch: 1 });
  });

  test("of a vibration device are seen, be it a main or a sub-device", async () => {
    const owner = await anOwner(server.world);
    const main = await aDevice(server.world, owner, { model: Model.vibration });
    const sub = await aDevice(server.world, owner, {
      model: Model.vibration,
      deviceType: DeviceType.sub,
      parentDeviceId: main.deviceId,
    });
    for (const { deviceId } of [main, sub])
      expect((await server.as(owner)(channels.grouped, { deviceId }))[0]?.channels).toHaveLength(4);
  });

  test("of a motor controller are one list, which no other device has", async () => {
    const owner = await anOwner(server.world);
    const main = await aDevice(server.world, owner);
    const motor = await aDevice(server.world, owner, {
      model: Model.motorController,
      deviceType: DeviceType.sub,
      parentDeviceId: main.deviceId,
    });
    const list = await server.as(owner)(channels.ofModbusDevice, { deviceId: motor.deviceId, displayType: 1 });
    expect(list.slice(0, 2).map((channel) => channel.channelCn)).toEqual(["I A", "I B"]);
    await expect(server.as(owner)(channels.ofModbusDevice, { deviceId: main.deviceId })).rejects.toEqual(refusal(404));
  });
});

describe("a channel's value", () => {
  test("is the newest reading while the device is heard", async () => {
    const owner = await anOwner(server.world);
    const device = await aDevice(server.world, owner);
    const deviceChannelId = Number(device.channels.AI1);
    const value = () => server.as(owner)(channels.value, { deviceChannelId });
    expect(await value()).toMatchObject({ value: null, status: ReadingStatus.noData, updateTime: null, unit: "bar" });
    await aReading(server.world, deviceChannelId, { value: 4.25, ts: 1_763_700_000_000 });
    expect(await value()).toMatchObject({ status: ReadingStatus.noData });
    await server.world.db
      .updateTable("devices")
      .set({ is_online: true, last_seen_time: server.world.clock.date() })
      .where("device_id", "=", device.deviceId)
      .execute();
    expect(await value()).toMatchObject({
      value: 4.25,
      status: 1,
      updateTime: new Date(1_763_700_000_000),
      channelType: 1,
    });
    const [group] = await server.as(owner)(channels.grouped, { deviceId: device.deviceId });
    expect(group?.channels[0], "so it is in the list of channels").toMatchObject({
      ...{ deviceChannelId, value: 4.25, status: 1, updateTime: new Date(1_763_700_000_000) },
      age: server.world.clock.now() - 1_763_700_000_000,
    });
    expect(group?.channels[1]).toMatchObject({
      value: null,
      status: ReadingStatus.noData,
      updateTime: null,
      age: null,
    });
  });
});

test("another plant's device and channel do not exist, nor what a viewer's dashboard lacks", async () => {
  const [owner, stranger] = [await anOwner(server.world), await anOwner(server.world)];
  const [shown, hidden] = [await aDevice(server.world, owner), await aDevice(server.world, owner)];
  const viewer = await aViewer(
    server.world,
    owner,
    await aDashboard(server.world, owner, { channels: [Number(shown.channels.AI1)] }),
  );
  for (const person of [stranger, viewer]) {
    const as = server.as(person);
    await expect(as(channels.grouped, { deviceId: hidden.deviceId })).rejects.toEqual(refusal(404));
    await expect(as(channels.ofModbusDevice, { deviceId: hidden.deviceId })).rejects.toEqual(refusal(404));
    await expect(as(channels.value, { deviceChannelId: Number(hidden.channels.AI1) })).rejects.toEqual(refusal(404));
  }
  // A viewer sees all channels of a device that is on its dashboard.
  await server.as(viewer)(channels.value, { deviceChannelId: Number(shown.channels.AI2) });
});
