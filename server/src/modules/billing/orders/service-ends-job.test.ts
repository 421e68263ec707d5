import { LiveCommand } from "@telltale/contract/live";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice } from "../../../test/test-devices.ts";
import { anOwner } from "../../../test/test-people.ts";
import { createTestWorld, type TestWorld } from "../../../test/test-world.ts";
import { createServiceEnds } from "./service-ends-job.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld();
});
afterAll(() => world.close());

test("open screens hear that a device's service has ended, once, and of no other device", async () => {
  const owner = await anOwner(world);
  const ended = await aDevice(world, owner);
  await aDevice(world, owner);
  const expire_time = new Date(world.clock.now() + 30_000);
  await world.db.updateTable("devices").set({ expire_time }).where("device_id", "=", ended.deviceId).execute();
  const heard: unknown[] = [];
  const off = world.bus.on("live", ({ plantId, message }) => heard.push([plantId, message]));
  const job = createServiceEnds({ ...world, metrics: new Registry() });
  await job.run();
  expect(heard).toEqual([]);
  world.clock.pass(60_000);
  await job.run();
  await job.run();
  off();
  expect(heard).toEqual([[owner.plantId, { cmd: LiveCommand.dashboardChange, deviceId: ended.deviceId }]]);
});
