import { topics } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import { CommandStatus } from "@telltale/contract/domains/joint";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOwner } from "../../test/test-people.ts";
import { createJointControl } from "./control.ts";
import { writeCommands } from "./settle-queries.ts";

const soon = { timeout: 8_000, interval: 20 };

let world: DeviceWorld;

beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());

/** Commands for all outputs of devices of a new plant. */
const commanded = async (count: number): Promise<TestDevice[]> => {
  const { plantId } = await anOwner(world);
  const devices: TestDevice[] = [];
  for (let device = 0; device < count; device++)
    devices.push(await aDevice(world, { plantId }, { name: `Yard ${device}`, model: Model.digitalOutput }));
  const outputs = devices.flatMap(({ channels }) => Object.entries(channels).filter(([code]) => code.startsWith("DO")));
  const commands = outputs.map(([, outputId]) => ({ plantId, outputId, level: 1 as const, jointId: null }));
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
