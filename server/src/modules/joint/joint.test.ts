import type { Client } from "@telltale/contract/call/client";
import { topics } from "@telltale/contract/device-api";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { CommandStatus, JointEnding, joint } from "@telltale/contract/domains/joint";
import { LiveCommand } from "@telltale/contract/live";
import type { FastifyInstance } from "fastify";
import type { MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { clientsOf } from "../../test/test-server.ts";
import { createJointControl, type JointControl } from "./control.ts";

const start = 1_763_700_000_000;
const soon = { timeout: 8_000, interval: 20 };

let world: DeviceWorld;
let app: FastifyInstance;
let control: JointControl;
let owner: Person;
let ask: Client;
let pump: TestDevice;
let second = 0;

const openControl = () => {
  control = createJointControl({ ...world, callDevice: world.gateway.callDevice });
  control.start();
};

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world);
});
beforeEach(async () => {
  owner = await anOwner(world);
  ask = clientsOf(app)(owner);
  const limits = { zero: 0, span: 100, higherAlarm: 80, higherHysteresis: 0, lowerAlarm: 10, lowerHysteresis: 0 };
  const channels = { AI1: { settings: limits }, AI2: { settings: limits } };
  pump = await aDevice(world, owner, { name: "Pump 3", model: Model.mixed, channels });
  openControl();
});
afterEach(() => control.stop());
afterAll(async () => {
  await app.close();
  await world.close();
});

const channel = (code: string, device = pump): number => Number(device.channels[code]);
const add = async (more: object = {}): Promise<number> => {
  const source = { sourceChannelId: channel("AI1"), alarmType: AlertType.high };
  const rule = { name: "Beacon", ...source, outputChannelId: channel("DO2"), level: 1, ...more };
  return (await ask(joint.edit, rule as never)).jointId;
};
const send = (client: MqttClient, values: Record<string, number>) => {
  second += 1;
  return client.publishAsync(topics.telemetry, JSON.stringify({ ts: start + second * 1000, values }), { qos: 1 });
};

/** A device that accepts commands and records them in order. Without an answer it behaves as if it had not received them. */
const aListener = async (device = pump, answer: object | null = { success: true }) => {
  const client = await world.mqtt(device.accessToken);
  const received: { channel: string; value: number }[] = [];
  client.on("message", (topic, payload) => {
    if (!topic.startsWith(topics.rpcRequest)) return;
    const { method, params } = JSON.parse(payload.toString());
    expect(method).toBe("setOutput");
    received.push(params);
    if (answer)
      void client.publishAsync(topics.rpcResponse + topic.slice(topics.rpcRequest.length), JSON.stringify(answer));
  });
  await client.subscribeAsync(`${topics.rpcRequest}+`);
  return { client, received, send: (values: Record<string, number>) => send(client, values) };
};
const rowOf = (jointId: number) => ask(joint.info, { jointId });
const statusOf = async (jointId: number) => (await rowOf(jointId)).last?.status;
const on = { channel: "DO2", value: 1 };
const off = { channel: "DO2", value: 0 };

describe("an output that an alert drives", () => {
  it("gets one command when the alert opens, and one when it ends", async () => {
    const { received, send: say } = await aListener();
    const jointId = await add();
    await say({ AI1: 50 });
    await say({ AI1: 90 });
    await say({ AI1: 91 });
    await vi.waitFor(async () => expect(await statusOf(jointId)).toBe(CommandStatus.confirmed), soon);
    await control.run(true);
    expect(received).toEqual([on]);
    expect(await rowOf(jointId)).toMatchObject({ isActive: true, last: { level: 1, reason: "" } });
    await say({ AI1: 20 });
    await vi.waitFor(() => expect(received).toEqual([on, off]), soon);
    expect(await rowOf(jointId)).toMatchObject({ isActive: false, last: { level: 0 } });
    expect((await ask(joint.log, { jointId })).data.map(({ level }) => level)).toEqual([0, 1]);
  });

  it("stays driven by an alert that opened and ended at once, where it is to stay", async () => {
    const { received, client } = await aListener();
    await add({ ending: JointEnding.stay });
    second += 2;
    const moments = [90, 20].map((AI1, at) => ({ ts: start + (second + at - 1) * 1000, values: { AI1 } }));
    await client.publishAsync(topics.telemetry, JSON.stringify(moments), { qos: 1 });
    await vi.waitFor(() => expect(received).toEqual([on]), soon);
  });

  it("goes back only when the last of its rules has ended", async () => {
    const { received, send: say } = await aListener();
    await add();
    await add({ name: "Beacon too", sourceChannelId: channel("AI2") });
    await say({ AI1: 90, AI2: 90 });
    await vi.waitFor(() => expect(received).toEqual([on]), soon);
    await say({ AI1: 20, AI2: 90 });
    await control.run();
    expect(received).toEqual([on]);
    await say({ AI2: 20 });
    await vi.waitFor(() => expect(received).toEqual([on, off]), soon);
  });

  it("is driven by a custom alarm, and by the master for a device behind it", async () => {
    const behind = { model: Model.digitalOutput, deviceType: DeviceType.sub, parentDeviceId: pump.deviceId };
    const relays = await aDevice(world, owner, { name: "Yard", ...behind });
    const alarm = { alarm_name: "Warm", alarm_class: AlertClass.custom, device_id: pump.deviceId };
    const rule = { channel_id: channel("AI2"), type: AlertType.high, alarm_value: 60, alarm_hysteresis: 0 };
    const { alarm_id: alarmId } = await world.db
      .insertInto("alarms")
      .values({ ...alarm, ...rule, plant_id: owner.plantId, created_time: world.clock.date() })
      .returning("alarm_id")
      .executeTakeFirstOrThrow();
    const sources = { sourceChannelId: undefined, alarmType: undefined, alarmId };
    const jointId = await add({ ...sources, outputChannelId: channel("DO4", relays) });
    const master = await world.mqtt(pump.accessToken);
    const heard: unknown[] = [];
    master.on(
      "message",
      (topic, payload) => topic === topics.gateway.rpc && heard.push(JSON.parse(payload.toString())),
    );
    await master.subscribeAsync(topics.gateway.rpc);
    await send(master, { AI2: 70 });
    const data = { method: "setOutput", params: { channel: "DO4", value: 1 }, id: expect.any(Number) };
    await vi.waitFor(() => expect(heard).toEqual([{ device: relays.deviceSnId, data }]), soon);
    expect(await rowOf(jointId)).toMatchObject({ source: { alarmName: "Warm", threshold: 60 } });
    await world.db.deleteFrom("alarms").where("alarm_id", "=", alarmId).execute();
    expect((await rowOf(jointId)).problem).toBe("The alert that triggered it was deleted");
  });

  it("that refuses shows the reason, and gets no further command", async () => {
    const { received, send: say } = await aListener(pump, { success: false, error: "No relay fitted" });
    const jointId = await add();
    await say({ AI1: 90 });
    await vi.waitFor(async () => expect(await statusOf(jointId)).toBe(CommandStatus.refused), soon);
    expect((await rowOf(jointId)).last).toMatchObject({ reason: "No relay fitted" });
    await control.run(true);
    expect(received).toHaveLength(1);
  });

  it("gets the command again until the device answers", async () => {
    const { received, send: say } = await aListener(pump, null);
    await control.stop();
    const callDevice = (id: number, ...[method, params]: [never, object]) =>
      world.gateway.commands.call(
        world.telemetry.registry.inMemory({ deviceId: id }) as never,
        method,
        params as Record<string, unknown>,
        50,
      );
    control = createJointControl({ ...world, callDevice: callDevice as never });
    control.start();
    const jointId = await add();
    await say({ AI1: 90 });
    await vi.waitFor(async () => {
      expect((await rowOf(jointId)).last).toMatchObject({
        status: CommandStatus.waiting,
        reason: "The device did not answer in time",
      });
    }, soon);
    world.clock.pass(2_000);
    await vi.waitFor(() => expect(received).toEqual([on, on]), soon);
  });
});

describe("a device that is not connected", () => {
  const aSource = async () => {
    const settings = { zero: 0, span: 100, higherAlarm: 80, higherHysteresis: 0 };
    const sensor = await aDevice(world, owner, { name: "Tank", channels: { AI1: { settings } } });
    return { id: channel("AI1", sensor), client: await world.mqtt(sensor.accessToken) };
  };

  it("gets only the newest command when it reconnects, also after a restart of the server", async () => {
    const source = await aSource();
    const jointId = await add({ sourceChannelId: source.id });
    // A run in progress may have read before the value arrived.
    const isAsked = (level: number) =>
      vi.waitFor(async () => {
        await control.run(true);
        expect((await rowOf(jointId)).last).toMatchObject({ status: CommandStatus.waiting, level });
      }, soon);
    for (const [AI1, level] of [
      [90, 1],
      [20, 0],
      [95, 1],
    ] as const) {
      await send(source.client, { AI1 });
      await isAsked(level);
    }
    expect(await rowOf(jointId)).toMatchObject({ isActive: true });
    await control.stop();
    await send(source.client, { AI1: 20 });
    openControl();
    await isAsked(0);
    const statuses = (await ask(joint.log, { jointId })).data.map(({ level, status }) => [level, status]);
    const { waiting, superseded } = CommandStatus;
    expect(statuses).toEqual([
      [0, waiting],
      [1, superseded],
      [0, superseded],
      [1, superseded],
    ]);
    const { received } = await aListener();
    await vi.waitFor(async () => expect(await statusOf(jointId)).toBe(CommandStatus.confirmed), soon);
    expect(received).toEqual([off]);
  });

  it("gets its last command again when it reconnects", async () => {
    const source = await aSource();
    const jointId = await add({ sourceChannelId: source.id });
    const first = await aListener();
    await send(source.client, { AI1: 90 });
    await vi.waitFor(async () => expect(await statusOf(jointId)).toBe(CommandStatus.confirmed), soon);
    await first.client.endAsync(true);
    const again = await aListener();
    await vi.waitFor(() => expect(again.received).toEqual([on]), soon);
  });

  it("that is disabled is not driven until it is enabled", async () => {
    const source = await aSource();
    const { received } = await aListener();
    const set = (is_disabled: boolean) =>
      world.db.updateTable("devices").set({ is_disabled }).where("device_id", "=", pump.deviceId).execute();
    await set(true);
    const jointId = await add({ sourceChannelId: source.id });
    await send(source.client, { AI1: 90 });
    await control.run(true);
    expect([await statusOf(jointId), received]).toEqual([CommandStatus.waiting, []]);
    await set(false);
    await vi.waitFor(() => expect(received).toEqual([on]), soon);
  });
});

describe("a joint control that changes while it holds", () => {
  it.each([
    ["switched off", (jointId: number) => ask(joint.enable, { jointId, enabled: false })],
    ["deleted", (jointId: number) => ask(joint.remove, { jointId })],
    ["moved to another output", (jointId: number) => add({ jointId, outputChannelId: channel("DO1") })],
  ])("and is %s releases its output", async (_what, change) => {
    const { received, send: say } = await aListener();
    const jointId = await add();
    await say({ AI1: 90 });
    await vi.waitFor(() => expect(received).toEqual([on]), soon);
    await change(jointId);
    await vi.waitFor(() => expect(received).toContainEqual(off), soon);
  });

  it("keeps it when only its name is another", async () => {
    const { received, send: say } = await aListener();
    const jointId = await add();
    await say({ AI1: 90 });
    await vi.waitFor(async () => expect(await statusOf(jointId)).toBe(CommandStatus.confirmed), soon);
    await add({ jointId, name: "Lamp" });
    await control.run(true);
    expect(received).toEqual([on]);
  });

  it("is shown so on open screens, even if only its name is another", async () => {
    const shown: unknown[] = [];
    const end = world.bus.on("live", ({ plantId, message }) => {
      if (plantId === owner.plantId && message.cmd === LiveCommand.jointChange) shown.push(message);
    });
    const jointId = await add({ enabled: false });
    await add({ jointId, name: "Lamp", enabled: false });
    await ask(joint.remove, { jointId });
    end();
    expect(shown).toHaveLength(3);
  });

  it("drives at once when its condition holds already", async () => {
    const { received, send: say } = await aListener();
    await say({ AI1: 90 });
    await add();
    await vi.waitFor(() => expect(received).toEqual([on]), soon);
  });
});
