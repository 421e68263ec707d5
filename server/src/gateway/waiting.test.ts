import { connect } from "node:net";
import { RefusalReason, topics } from "@telltale/contract/device-api";
import mqttPacket from "mqtt-packet";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Outcome, Submission } from "../telemetry/ingest/submission.ts";
import type { Writer } from "../telemetry/ingest/writer.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import type { TestDevice } from "../test/test-devices.ts";
import { createArrivals } from "./core/arrivals/arrivals.ts";
import { createAttributeStore } from "./core/attributes.ts";
import { createIntake } from "./core/intake.ts";
import { createIncoming } from "./core/receipt.ts";

let world: DeviceWorld;
beforeEach(async () => {
  world = await createDeviceWorld();
});
afterEach(() => world.close());

/** A device that has reported once, and its client. */
const reporting = async () => {
  const device = await world.device();
  const client = await world.mqtt(device.accessToken);
  const publish = (value: number) =>
    client.publishAsync(topics.telemetry, JSON.stringify({ AI1: value }), { qos: 1 }).catch(() => undefined);
  await publish(1);
  return { device, publish };
};

/** Blocks storing until the returned function is called. */
const loseDatabase = (): (() => void) => {
  const connect = world.pool.connect.bind(world.pool) as (...done: unknown[]) => unknown;
  const refuse = (...done: unknown[]) => (done.length > 0 ? connect(...done) : Promise.reject(new Error("gone")));
  const spy = vi.spyOn(world.pool, "connect").mockImplementation(refuse as never);
  return () => spy.mockRestore();
};

const waitingMessages = () => world.telemetry.writer.stats.waiting;

test("readings without a time that wait for the database keep the time at which each came", async () => {
  const { device, publish } = await reporting();
  const find = loseDatabase();
  const began = world.clock.now();
  const published = [publish(2)];
  await expect.poll(() => world.telemetry.writer.check().catch(() => "not stored")).toContain("not stored");
  for (const value of [3, 4]) {
    world.clock.pass(1_000);
    published.push(publish(value));
    await expect.poll(waitingMessages).toBe(value - 1);
  }
  find();
  await Promise.all(published);
  const stored = (await world.readings(device, "AI1")).slice(1);
  expect(stored.map(({ ts, value }) => [ts - began, value])).toEqual([
    [0, 2],
    [1_000, 3],
    [2_000, 4],
  ]);
});

/** An intake whose writer only records submissions. */
const intakeOf = async (device: TestDevice) => {
  const { registry, refusals } = world.telemetry;
  const submitted: Submission[] = [];
  const writer = {
    submit: (submission: Submission) => void submitted.push(submission),
    isFull: () => false,
    hasRoom: () => true,
    waitForRoom: async () => true,
    hold: () => () => undefined,
  } as Partial<Writer> as Writer;
  const attributes = createAttributeStore({ ...world, writer });
  const intake = createIntake({ ...world, registry, writer, arrivals: createArrivals(world), attributes });
  const known = await registry.find({ token: device.accessToken });
  if (!known) throw new Error("The registry does not know the device");
  const outcomes: Outcome[] = [];
  const send = (value: number) =>
    intake.telemetry(
      createIncoming(
        refusals,
        { device: known, payload: Buffer.from(JSON.stringify({ AI1: value })), delivery: {}, topic: topics.telemetry },
        ({ outcome }) => outcomes.push(outcome),
      ),
    );
  return { known, submitted, outcomes, send };
};

test("a message stays behind an earlier one of its device that waits for the device to be loaded", async () => {
  const { device } = await reporting();
  const { known, submitted, send } = await intakeOf(device);
  known.isStale = true;
  send(2);
  known.isStale = false; // loaded, by a batch that is not committed yet
  send(3);
  send(4);
  expect(submitted.map(({ values }) => values)).toEqual([[]]);
  submitted[0]?.done("stored");
  await expect.poll(() => submitted.length).toBe(4);
  send(5);
  expect(submitted.map(({ values }) => values)).toEqual([[], [2], [3], [4], [5]]);
});

test("a message whose device can't be loaded is not acknowledged", async () => {
  const { device } = await reporting();
  const { known, submitted, outcomes, send } = await intakeOf(device);
  known.isStale = true;
  send(2);
  submitted[0]?.done("stopped");
  await expect.poll(() => outcomes).toEqual(["stopped"]);
  expect(submitted).toHaveLength(1);
});

test("a message that the database refuses is shown in the diagnostics by its readings, whose payload is gone", async () => {
  const { device } = await reporting();
  const { known, submitted, outcomes, send } = await intakeOf(device);
  const count = vi.spyOn(world.telemetry.refusals, "count");
  send(7);
  submitted[0]?.done("refused");
  expect(outcomes).toEqual(["refused"]);
  expect(count.mock.lastCall).toEqual([known.deviceId, RefusalReason.badPayload, topics.telemetry, '{"AI1":7}', 1]);
  count.mockRestore();
});

test("a stop does not wait for a database that takes nothing", async () => {
  const { publish } = await reporting();
  const find = loseDatabase();
  void publish(2);
  await expect.poll(() => world.telemetry.writer.check().catch(() => "not stored")).toContain("not stored");
  const looking = world.telemetry.writer.exclusively(async () => undefined);
  await world.gateway.stop();
  await world.telemetry.stop();
  await looking;
  find();
});

test("a client that disconnects during its look-up is forgotten", async () => {
  const [device, other] = [await world.device(), await world.device()];
  const holder = await world.pool.connect();
  await holder.query("BEGIN; LOCK TABLE devices IN ACCESS EXCLUSIVE MODE");
  const socket = connect(world.gateway.mqttPort(), "127.0.0.1");
  const packet = { cmd: "connect", protocolId: "MQTT", protocolVersion: 4, clean: true, clientId: "a" } as const;
  socket.write(mqttPacket.generate({ ...packet, keepalive: 60, username: device.accessToken }));
  const waiting = "SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = 'devices'::regclass";
  await expect.poll(async () => (await holder.query(waiting)).rows[0].waiting).toBe(1);
  socket.destroy();
  // The server processes it before the next request.
  await new Promise((resolve) => connect(world.gateway.mqttPort(), "127.0.0.1").on("connect", resolve).destroySoon());
  await holder.query("ROLLBACK");
  holder.release();
  await world.mqtt(other.accessToken);
  expect(world.gateway.connections()).toBe(1);
});
