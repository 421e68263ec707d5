import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MessageKind } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { anOwner } from "../../test/test-people.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { createDelivery } from "./delivery.ts";

let world: TestWorld;
let receiver: Server;
/** Paths in the order in which they were posted to. */
let received: string[] = [];
let status = 200;
/** While defined, requests wait here for their answer. */
let held: ServerResponse[] | undefined;

beforeAll(async () => {
  world = await createTestWorld();
  receiver = createServer((request, response) => {
    received.push(request.url ?? "");
    request.resume();
    if (held) held.push(response);
    else response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await world.close();
});
beforeEach(async () => {
  [received, status, held] = [[], 200, undefined];
  await world.db.deleteFrom("outbox").execute();
});

const answerHeld = (): void => {
  const waiting = held ?? [];
  held = undefined;
  for (const response of waiting) response.writeHead(200).end();
};

/** A webhook of a plant of its own, with this many messages. */
const aWebhook = async (path: string, messages: number) => {
  const { plantId: plant_id } = await anOwner(world);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
  const now = () => world.clock.date();
  const { webhook_id } = await world.db
    .insertInto("webhooks")
    .values({
      plant_id,
      webhook_name: path,
      format: 1,
      url,
      secret: Buffer.alloc(32),
      created_by: null,
      created_time: now(),
    })
    .returning("webhook_id")
    .executeTakeFirstOrThrow();
  const recipient = String(webhook_id);
  const queue = async (count: number): Promise<void> => {
    const body = JSON.stringify({ subject: "High", paragraphs: [] });
    const row = { plant_id, kind: MessageKind.webhook, recipient, body, next_time: now(), created_time: now() };
    await world.db
      .insertInto("outbox")
      .values(Array.from({ length: count }, () => row))
      .execute();
  };
  await queue(messages);
  const outcomes = () =>
    world.db.selectFrom("outbox").selectAll().where("recipient", "=", recipient).orderBy("message_id").execute();
  const tries = async () => (await outcomes()).reduce((sum, message) => sum + message.tries, 0);
  return { queue, outcomes, tries };
};

const run = () => createDelivery({ ...world, metrics: new Registry(), privateWebhooks: true }).run();

test("a message that comes while a plant's many are sent has its turn in the next round", async () => {
  held = [];
  await aWebhook("/slow", 12);
  const running = run();
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(2);
  await aWebhook("/other", 1);
  answerHeld();
  await running;
  expect(received).toHaveLength(13);
  expect(received.indexOf("/other"), "two of the first round, and at most two of the second").toBeLessThanOrEqual(4);
});

test("webhooks of many plants that do not answer are waited for together", async () => {
  held = [];
  for (let plant = 0; plant < 12; plant++) await aWebhook(`/${plant}`, 1);
  const running = run();
  await expect.poll(() => received.length).toBe(12);
  answerHeld();
  await running;
});

test("a webhook that fails is tried with one message per interval; the others wait untried, and go when it accepts one", async () => {
  status = 503;
  const { queue, outcomes, tries } = await aWebhook("/down", 6);
  await run();
  expect(received, "both of the first round").toHaveLength(2);
  await queue(3);
  await run();
  expect(received).toHaveLength(2);
  for (const [wait, posts] of [
    [5_000, 3],
    [5_000, 4],
    [5_000, 4],
    [5_000, 5],
  ] as const) {
    world.clock.pass(wait);
    await run();
    expect(received).toHaveLength(posts);
  }
  expect(await tries()).toBe(5);
  expect((await outcomes()).every((message) => message.status === "waiting")).toBe(true);
  status = 200;
  world.clock.pass(60_000);
  await run();
  expect((await outcomes()).map((message) => message.status)).toEqual(Array.from({ length: 9 }, () => "sent"));
  expect(received).toHaveLength(14);
});

test("messages that waited for two days behind a failing one are given up with it, and newer ones go on waiting", async () => {
  status = 503;
  const { queue, outcomes } = await aWebhook("/dead", 5);
  await run();
  world.clock.pass(49 * 3_600_000);
  await queue(2);
  await run();
  const states = (await outcomes()).map((message) => message.status);
  expect(states).toEqual(["failed", "failed", "failed", "failed", "failed", "waiting", "waiting"]);
  expect((await outcomes()).slice(0, 5).every(({ fault }) => fault.includes("503"))).toBe(true);
  expect(received).toHaveLength(3);
});
