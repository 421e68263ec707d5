import { setImmediate as nextTurn } from "node:timers/promises";
import { httpPath, topics } from "@telltale/contract/device-api";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Submission } from "../telemetry/ingest/submission.ts";
import type { Writer } from "../telemetry/ingest/writer.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import type { TestDevice } from "../test/test-devices.ts";
import { collectGarbage } from "../test/test-memory.ts";
import { createArrivals } from "./core/arrivals/arrivals.ts";
import { createAttributeStore } from "./core/attributes.ts";
import { createIntake } from "./core/intake.ts";
import { createIncoming } from "./core/receipt.ts";

describe("messages queued while the database is unavailable", () => {
  let world: DeviceWorld;
  let app: FastifyInstance;
  beforeAll(async () => {
    world = await createDeviceWorld();
    app = Fastify();
    await app.register(world.gateway.http);
  });
  afterAll(async () => {
    await app.close();
    await world.close();
  });

  const knownOf = async ({ accessToken }: TestDevice) => {
    const known = await world.telemetry.registry.find({ token: accessToken });
    if (!known) throw new Error("The registry does not know the device");
    return known;
  };

  it.each([
    ["their commit", false],
    ["their device to be loaded", true],
  ])("for %s are a few megabytes of one device, and another's are taken", async (_, isStale) => {
    const [loud, other] = [await world.device(), await world.device()];
    const padding = " ".repeat(260_000);
    const post = async (device: TestDevice, value: number) =>
      (
        await app.inject({
          method: "POST",
          url: httpPath(device.accessToken, "telemetry"),
          payload: `{"AI1": ${value}${padding}}`,
        })
      ).statusCode;
    for (const device of [loud, other]) expect(await post(device, 0)).toBe(200);
    const { writer } = world.telemetry;
    const gate = Promise.withResolvers<void>();
    const held = writer.exclusively(() => gate.promise);
    (await knownOf(loud)).isStale = isStale;
    const answers: number[] = [];
    const posts = 60;
    const posted = Array.from({ length: posts }, async (_each, at) => answers.push(await post(loud, 1 + at)));
    // Taken are as many as fit in, and one more.
    const taken = Math.floor((8 * 1024 * 1024) / (padding.length + 520)) + 1;
    await expect.poll(() => answers.length).toBe(posts - taken);
    expect(new Set(answers)).toEqual(new Set([503]));
    const another = post(other, 1);
    await expect.poll(() => writer.stats.waitingBytes).toBeGreaterThan((taken + 1) * padding.length);
    expect(writer.stats.waitingBytes).toBeLessThan((taken + 3) * padding.length);
    gate.resolve();
    await held;
    expect(await another).toBe(200);
    await Promise.all(posted);
    expect(answers.filter((status) => status === 200)).toHaveLength(taken);
    expect(await world.readings(loud, "AI1")).toHaveLength(1 + taken);
    expect(writer.stats).toMatchObject({ waiting: 0, waitingReadings: 0, waitingBytes: 0 });
  });

  it("a device can queue its whole backlog", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    const [messages, moments, start] = [30, 5_000, 1_763_700_000_000];
    const published = Array.from({ length: messages }, (_each, message) => {
      const first = start + message * moments;
      const payload = Array.from({ length: moments }, (_moment, at) => ({ ts: first + at, values: { AI1: 4.2 } }));
      return client.publishAsync(topics.telemetry, JSON.stringify(payload), { qos: 1 });
    });
    await Promise.all(published);
    expect(await world.readings(device, "AI1")).toHaveLength(messages * moments);
  });

  it("only their decoded readings are kept in memory", async () => {
    const device = await knownOf(await world.device());
    const { registry, refusals } = world.telemetry;
    const submitted: Submission[] = [];
    const writer = {
      submit: (submission: Submission) => void submitted.push(submission),
      isFull: () => false,
      hasRoom: () => true,
      waitForRoom: async () => true,
    } as Partial<Writer> as Writer;
    const intake = createIntake({
      ...world,
      registry,
      writer,
      arrivals: createArrivals(world),
      attributes: createAttributeStore({ ...world, writer }),
    });
    const send = (value: number): WeakRef<Buffer> => {
      const payload = Buffer.alloc(100_000, `{"AI1": ${value}} `.padEnd(100_000));
      const sent = { device, payload, delivery: { packetId: 1 + value, isRepeated: false }, topic: topics.telemetry };
      intake.telemetry(createIncoming(refusals, sent, () => undefined));
      return new WeakRef(payload);
    };
    const payloads = Array.from({ length: 20 }, (_, value) => send(value));
    await expect.poll(() => submitted.length).toBe(20);
    await nextTurn();
    collectGarbage();
    expect(payloads.filter((payload) => payload.deref() !== undefined)).toEqual([]);
    expect(submitted.map(({ values }) => values[0])).toEqual(Array.from({ length: 20 }, (_, value) => value));
  });

  it("refusals with one reason are counted together", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    const count = vi.spyOn(world.telemetry.refusals, "count");
    const before = world.telemetry.refusals.totals().get("unknown_key") ?? 0;
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, at]));
    await client.publishAsync(topics.telemetry, JSON.stringify({ ...unknown, AI1: 1, AI2: "none" }), { qos: 1 });
    expect(count.mock.calls.map(([, reason, key, , values]) => [reason, key, values])).toEqual([
      ["unknown_key", "x4999", 5_000],
      ["not_a_number", "AI2", 1],
    ]);
    expect(world.telemetry.refusals.totals().get("unknown_key")).toBe(before + 5_000);
    count.mockRestore();
  });
});
