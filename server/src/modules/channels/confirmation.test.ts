import { Key } from "@telltale/contract/channel-types/keys";
import { type SharedAttributes, topics } from "@telltale/contract/device-api";
import { DeviceType } from "@telltale/contract/domains/devices";
import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import type { FastifyInstance } from "fastify";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice } from "../../test/test-devices.ts";
import { aStation, connectedTo, type Station } from "../../test/test-station.ts";

let world: DeviceWorld;
let app: FastifyInstance;
let { owner, station, setup, channelOf, save }: Station = {} as Station;

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world);
});
beforeEach(async () => {
  ({ owner, station, setup, channelOf, save } = await aStation(world, app));
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const confirm = (client: MqttClient, settingsVersion: unknown) =>
  client.publishAsync(topics.attributes, JSON.stringify({ settingsVersion }), { qos: 1 });

describe("a device whose settings were saved", () => {
  const received = (version: number, settings: object) =>
    expect.objectContaining({
      settingsVersion: version,
      channels: expect.objectContaining({ AI1: expect.objectContaining(settings) }),
    }) as SharedAttributes;

  test("gets a change at once; it is pending until the device has confirmed it, then applied, live", async () => {
    const device = await connectedTo(world, station);
    await vi.waitFor(() => expect(device.received).toContainEqual(received(1, { span: 16, channelSwitch: 1 })));
    expect(await setup()).toMatchObject({ settingsVersion: 1, savedTime: null, isPending: false });
    await save({ AI1: { [Key.span]: 20, [Key.higherDelay]: 30 } });
    const changed = { span: 20, higherAlarmDelay: 30 };
    await vi.waitFor(() => expect(device.received).toContainEqual(received(2, changed)));
    expect(await setup()).toMatchObject({ isPending: true, savedTime: world.clock.date(), confirmedTime: null });
    expect(await channelOf("AI1")).toMatchObject({ isPending: true });
    expect(await channelOf("AI2")).toMatchObject({ isPending: false });
    const heard: LiveMessage[] = [];
    const stop = world.bus.on("live", ({ plantId, message }) => plantId === owner.plantId && heard.push(message));
    for (const nonsense of [0, 3, -1, 2.5, "2", null]) await confirm(device.client, nonsense);
    expect(await setup()).toMatchObject({ isPending: true });
    world.clock.pass(5000);
    await confirm(device.client, 2);
    expect(await setup()).toMatchObject({ isPending: false, confirmedTime: world.clock.date() });
    expect(heard).toContainEqual({ cmd: LiveCommand.dashboardChange, deviceId: station.deviceId });
    stop();
    await confirm(device.client, 1);
    expect(await setup(), "a unit that was reset").toMatchObject({ isPending: true });
  });

  test("that was away gets it when it reconnects; a sub-device through its master", async () => {
    const skid = await aDevice(world, owner, { deviceType: DeviceType.sub, parentDeviceId: station.deviceId });
    await save({ AI1: { [Key.reportInterval]: 30 } }, { device: skid });
    const master = await connectedTo(world, station, topics.gateway.attributes);
    const connect = JSON.stringify({ device: skid.deviceSnId });
    await master.client.publishAsync(topics.gateway.connect, connect, { qos: 1 });
    const of = (version: number, reportInterval: number) => ({
      device: skid.deviceSnId,
      data: received(version, { reportInterval }),
    });
    await vi.waitFor(() => expect(master.received).toContainEqual(of(2, 30)));
    await save({ AI1: { [Key.reportInterval]: 40 } }, { device: skid });
    await vi.waitFor(() => expect(master.received).toContainEqual(of(3, 40)));
    expect(await setup(skid)).toMatchObject({ isPending: true });
    const reported = JSON.stringify({ [skid.deviceSnId]: { settingsVersion: 3 } });
    await master.client.publishAsync(topics.gateway.attributes, reported, { qos: 1 });
    expect(await setup(skid)).toMatchObject({ isPending: false });
    await master.client.endAsync();
    const again = await connectedTo(world, station, topics.gateway.attributes);
    await vi.waitFor(() => expect(again.received, "asked for by the master").toContainEqual(of(3, 40)));
  });
});
