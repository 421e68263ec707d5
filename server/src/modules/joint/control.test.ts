import { topics } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import { CommandStatus } from "@telltale/contract/domains/joint";
import Fastify from "fastify";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { CallFailed } from "../../platform/device-calls.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { aJointControl } from "../../test/test-joint.ts";
import { anOwner } from "../../test/test-people.ts";
import { createJointControl } from "./control.ts";
import { writeCommands } from "./settle-queries.ts";

const soon = { timeout: 8_000, interval: 20 };

let world: DeviceWorld;

beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());

beforeEach(async () => {
  await world.db.deleteFrom("joint_commands").execute();
});

/** Commands for these outputs of devices of a new plant. */
const commanded = async (count: number, codes = ["DO1", "DO2", "DO3", "DO4"]): Promise<TestDevice[]> => {
  const { plantId } = await anOwner(world);
  const devices: TestDevice[] = [];
  for (let device = 0; device < count; device++)
    devices.push(await aDevice(world, { plantId }, { name: `Yard ${device}`, model: Model.digitalOutput }));
  const outputs = devices.flatMap(({ channels }) => codes.map((code) => Number(channels[code])));
  const commands = outputs.map((outputId) => ({ plantId, outputId, level: 1 as const, jointId: null }));
  await writeCommands(world.db, commands, world.clock.date());
  return devices;
};

it("outputs of a plant whose devices do not answer delay no other plant's", async () => {
  await commanded(60);
  const waiting = await world.db.selectFrom("joint_commands").select("command_id").execute();
  expect(waiting.length, "more than a round sends").toBeGreaterThan(200);
  world.clock.pass(1_000);
  const [pump] = await commanded(1);
  const client = await world.mqtt(pump?.accessToken ?? "");
  const received: string[] = [];
  client.on("message", (topic, payload) => {
    received.push(JSON.parse(payload.toString()).params.channel);
    void client.publishAsync(topics.rpcResponse + topic.slice(topics.rpcRequest.length), '{"success":true}');
  });
  await client.subscribeAsync(`${topics.rpcRequest}+`);
  const control = createJointControl({ ...world, callDevice: world.gateway.callDevice });
  await control.run();
  await vi.waitFor(() => expect(received).toContain("DO1"), soon);
  await control.stop();
  const settled = world.db.selectFrom("joint_commands").where("status", "=", CommandStatus.confirmed);
  await expect.poll(async () => (await settled.selectAll().execute()).length).toBe(received.length);
});

it("a command is tried again soon when its device connects while the command is tried", async () => {
  await commanded(1, ["DO1"]);
  let tries = 0;
  const callDevice = async (deviceId: number): Promise<unknown> => {
    if (++tries > 1) return { success: true };
    world.bus.emitHere("deviceReady", { deviceId });
    // The round that the connection causes comes while this try is still under way.
    await control.run();
    throw new CallFailed("not-connected");
  };
  const control = createJointControl({ ...world, callDevice });
  control.start();
  await vi.waitFor(() => expect(tries).toBe(1), soon);
  await control.run();
  world.clock.pass(1_000);
  await vi.waitFor(() => expect(tries).toBe(2), soon);
  await control.stop();
});

it("a device that long-polls gets a command once, and its last one again when it has not polled for minutes", async () => {
  const owner = await anOwner(world);
  const { channels } = await aDevice(world, owner);
  const { jointId, outputChannelId: outputId } = await aJointControl(world, owner, Number(channels.AI1));
  const { access_token: token } = await world.db
    .selectFrom("devices as d")
    .innerJoin("channels as c", "c.device_id", "d.device_id")
    .select("d.access_token")
    .where("c.channel_id", "=", outputId)
    .executeTakeFirstOrThrow();
  const app = Fastify();
  await app.register(world.gateway.http);
  const poll = async (timeout: number) => {
    const answer = await app.inject({ method: "GET", url: `/api/v1/${token}/rpc?timeout=${timeout}` });
    if (answer.statusCode !== 200) return undefined;
    const { id, params } = answer.json();
    await app.inject({ method: "POST", url: `/api/v1/${token}/rpc/${id}`, payload: '{"success": true}' });
    return params;
  };
  const isConfirmed = async () => {
    const { status } = await world.db.selectFrom("joint_commands").select("status").executeTakeFirstOrThrow();
    return status === CommandStatus.confirmed;
  };
  const control = createJointControl({ ...world, callDevice: world.gateway.callDevice });
  control.start();
  await control.run();
  await writeCommands(world.db, [{ plantId: owner.plantId, outputId, level: 1, jointId }], world.clock.date());
  const command = { channel: "DO1", value: 1 };
  expect(await poll(20_000)).toEqual(command);
  await expect.poll(isConfirmed).toBe(true);
  expect(await poll(1_000)).toBeUndefined();
  world.clock.pass(119_000);
  expect(await poll(1_000)).toBeUndefined();
  world.clock.pass(121_000);
  expect(await poll(20_000)).toEqual(command);
  await expect.poll(isConfirmed).toBe(true);
  await control.stop();
  await app.close();
});
