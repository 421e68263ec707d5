import { Code } from "@telltale/contract/call/codes";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { lowCredit, orders, sandbox, sms } from "@telltale/contract/domains/billing";
import { MessageKind } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SendingRefused } from "../../../notify/channels/send-refused.ts";
import type { SmsSender } from "../../../notify/channels/sms.ts";
import type { AlertFacts } from "../../../notify/letters/alert-facts.ts";
import { createDelivery } from "../../../notify/outbox/delivery.ts";
import { anAlert } from "../../../test/test-alerts.ts";
import { aDevice } from "../../../test/test-devices.ts";
import { aDeviceManager, anAdmin, anOwner, aSupportView, type Person } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createSmsCharging } from "./charging.ts";
import { chargeSms, returnSms } from "./ledger.ts";

let server: TestServer;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number, message = "") =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

const facts: AlertFacts = {
  alarmClass: 1,
  alarmType: 1,
  alarmName: "Level",
  deviceSnId: "7C9EBD4A3F12",
  deviceName: "Pump house",
  channelName: "Level",
  channelCn: "AI1",
  value: 4.2,
  unit: "m",
  threshold: 4,
  msg: "",
  time: 1_763_700_000_000,
  toldTime: 1_763_700_000_000,
  zone: "UTC",
  plantName: "Riverside",
  stopKey: "stop",
  onlyWhileOpen: null,
};

const leftOf = async (person: Person) => (await server.as(person)(sms.left, {})).leftSms;

/** Queues an alert's SMS; returns the phone. */
const anSms = async ({ plantId }: Person, body: object = { alert: facts }): Promise<string> => {
  const recipient = `1202555${1000 + ++count}`;
  const now = server.world.clock.date();
  const row = { plant_id: plantId, kind: MessageKind.sms, recipient, body: JSON.stringify(body) };
  await server.world.db
    .insertInto("outbox")
    .values({ ...row, next_time: now, created_time: now })
    .execute();
  return recipient;
};
const sent: string[] = [];
const sending: SmsSender = {
  send: async ({ recipient, onHandOver }) => onHandOver().then(() => void sent.push(recipient)),
};
const refusing = (isFinal: boolean): SmsSender => ({
  send: () => Promise.reject(new SendingRefused("no", { isFinal })),
});
const run = (sender: SmsSender | undefined = sending) =>
  createDelivery({
    ...server.world,
    metrics: new Registry(),
    sms: sender,
    charging: createSmsCharging(server.world),
  }).run();
const mailsOf = async ({ plantId }: Person) =>
  server.world.db
    .selectFrom("outbox")
    .select(["recipient", "subject", "body"])
    .where("plant_id", "=", plantId)
    .where("kind", "=", MessageKind.mail)
    .orderBy("message_id")
    .execute();
const empty = async ({ plantId }: Person, left = 0): Promise<void> => {
  for (let i = 25; i > left; i -= 1)
    await chargeSms(server.world.db, { plantId, messageId: 1_000_000 + ++count, now: server.world.clock.date() });
};

/** Orders, approves and pays a package. */
const buy = async (person: Person, packageId: number) => {
  const { orderSn } = await server.as(person)(sms.create, { packageId });
  const { id: paymentId } = await server.as(person)(orders.pay, { orderSn });
  const { url } = await server.as(person)(sandbox.approve, { paymentId });
  const payerId = new URL(url, "http://console").searchParams.get("PayerID") ?? "";
  return { orderSn, paid: await server.as(person)(orders.settle, { paymentId, payerId }), paymentId, payerId };
};

describe("SMS credit", () => {
  test("begins with some, so that a phone can be tried", async () => {
    expect(await leftOf(await anOwner(server.world))).toBe(25);
  });

  test("grows by what was bought, once, and the purchase is in the billing history with whoever bought", async () => {
    const owner = await anOwner(server.world);
    const admin = await anAdmin(server.world, owner);
    const { orderSn, paid, paymentId, payerId } = await buy(admin, 2);
    expect(paid).toEqual({ orderSn, total: 2250, smsNum: 500, deviceName: null, expireTime: null });
    await Promise.all([1, 2, 3].map(() => server.as(owner)(orders.settle, { paymentId, payerId })));
    expect(await leftOf(owner)).toBe(525);
    const history = await server.as(owner)(sms.purchases, {});
    expect(history).toMatchObject({ total: 1, data: [{ orderSn, payAmount: 2250, smsNum: 500 }] });
    const { email } = await server.world.db
      .selectFrom("users")
      .select("email")
      .where("user_id", "=", admin.userId)
      .executeTakeFirstOrThrow();
    expect(history.data[0]?.email).toBe(email);
  });

  test("is offered in packages, and the checkout shows which is bought", async () => {
    const owner = await anOwner(server.world);
    const offer = await server.as(owner)(sms.packages, {});
    expect(offer.map(({ smsNum, money }) => [smsNum, money])).toEqual([
      [100, 500],
      [500, 2250],
      [1000, 4000],
      [5000, 18_000],
    ]);
    const { orderSn } = await server.as(owner)(sms.create, { packageId: 1 });
    const { id: paymentId } = await server.as(owner)(orders.pay, { orderSn });
    const checkout = await server.as(owner)(sandbox.checkout, { paymentId });
    expect(checkout).toEqual({ orderSn, total: 500, service: null, smsNum: 100 });
  });

  test("is for owners and admins, and a support view buys nothing", async () => {
    const owner = await anOwner(server.world);
    const manager = await aDeviceManager(server.world, owner);
    await expect(server.as(manager)(sms.left, {})).rejects.toEqual(refusal(Code.notAllowed));
    await expect(server.as(manager)(sms.create, { packageId: 1 })).rejects.toEqual(refusal(Code.notAllowed));
    const support = await aSupportView(server.world, owner);
    expect(await leftOf(support)).toBe(25);
    await expect(server.as(support)(sms.create, { packageId: 1 })).rejects.toEqual(refusal(Code.notAllowed));
    await expect(server.as(owner)(sms.create, { packageId: 99 })).rejects.toEqual(
      refusal(Code.notFound, "not on offer"),
    );
  });
});

describe("an alert by SMS", () => {
  test("costs one SMS, which the month's usage tells; a code that verifies a phone costs nothing", async () => {
    const owner = await anOwner(server.world);
    const phones = [await anSms(owner), await anSms(owner), await anSms(owner, { text: "Your code: 123456" })];
    await run();
    await run();
    expect(sent).toEqual(expect.arrayContaining(phones));
    expect(await leftOf(owner)).toBe(23);
    const now = server.world.clock.date();
    const usage = await server.as(owner)(sms.usage, { year: now.getUTCFullYear() });
    expect(usage.data).toEqual([{ time: now.toISOString().slice(0, 7), num: 2 }]);
    expect((await server.as(owner)(sms.usage, { year: 2020 })).data).toEqual([]);
  });

  test("is charged once, however often it is tried, and given back when it certainly did not go out", async () => {
    const owner = await anOwner(server.world);
    await anSms(owner);
    await run(refusing(false));
    expect(await leftOf(owner)).toBe(24);
    server.world.clock.pass(60_000);
    await run(refusing(false));
    expect(await leftOf(owner)).toBe(24);
    server.world.clock.pass(120_000);
    await run(refusing(true));
    expect(await leftOf(owner)).toBe(25);
    expect((await server.as(owner)(sms.usage, { year: server.world.clock.date().getUTCFullYear() })).data).toEqual([]);
  });

  test("is given back when its alert has cleared before a retry", async () => {
    const owner = await anOwner(server.world);
    const { deviceId } = await aDevice(server.world, owner);
    const alertId = await anAlert(server.world, owner, { deviceId });
    const phone = await anSms(owner, { alert: { ...facts, onlyWhileOpen: alertId } });
    await run(refusing(false));
    expect(await leftOf(owner)).toBe(24);
    server.world.clock.pass(60_000);
    const cleared = { status: AlertStatus.cleared, cleared_time: server.world.clock.date() };
    await server.world.db.updateTable("alerts").set(cleared).where("alert_id", "=", alertId).execute();
    await run();
    expect(sent).not.toContain(phone);
    expect(await leftOf(owner)).toBe(25);
  });

  test("that is given back in a later month is counted in none", async () => {
    const { db } = server.world;
    const owner = await anOwner(server.world);
    const { plantId } = owner;
    const [kept, returned] = [1_000_000 + ++count, 1_000_000 + ++count];
    for (const messageId of [kept, returned])
      await chargeSms(db, { plantId, messageId, now: new Date("2025-01-31T20:00Z") });
    await returnSms(db, { plantId, messageId: returned, now: new Date("2025-02-02T08:00Z") });
    expect((await server.as(owner)(sms.usage, { year: 2025 })).data).toEqual([{ time: "2025-01", num: 1 }]);
  });

  test("stays charged when it is unknown whether it arrived", async () => {
    const owner = await anOwner(server.world);
    await anSms(owner);
    await run({ send: ({ onHandOver }) => onHandOver().then(() => Promise.reject(new Error("hung up"))) });
    expect(await leftOf(owner)).toBe(24);
  });

  test("is mailed to owners and admins when there is no credit, and says so; with new credit SMS are sent again", async () => {
    const owner = await anOwner(server.world);
    await anAdmin(server.world, owner);
    await aDeviceManager(server.world, owner);
    await empty(owner);
    const phone = await anSms(owner);
    await run();
    expect(sent).not.toContain(phone);
    const mails = await mailsOf(owner);
    expect(mails).toHaveLength(2);
    for (const { subject, body } of mails) {
      expect(subject).toContain("Pump house");
      expect(JSON.stringify(body)).toContain(
        `This alert should have been sent to +${phone} by SMS. Your plant has no SMS credit left`,
      );
      expect(JSON.stringify(body)).not.toContain("Stop these alerts");
    }
    const message = server.world.db.selectFrom("outbox").select(["status", "fault"]).where("recipient", "=", phone);
    expect(await message.executeTakeFirst()).toMatchObject({
      status: "failed",
      fault: expect.stringContaining("No SMS credit"),
    });
    await buy(owner, 1);
    const next = await anSms(owner);
    await run();
    expect(sent).toContain(next);
    expect(await leftOf(owner)).toBe(99);
  });

  test("that lies in the outbox of a server without a provider is charged alike", async () => {
    const owner = await anOwner(server.world);
    await anSms(owner);
    await createDelivery({
      ...server.world,
      metrics: new Registry(),
      charging: createSmsCharging(server.world),
    }).run();
    expect(await leftOf(owner)).toBe(24);
  });

  test("warns owners and admins when little is left, and when nothing is", async () => {
    const owner = await anOwner(server.world);
    await anAdmin(server.world, owner);
    const { plantId } = owner;
    await buy(owner, 1);
    for (let left = 125; left > lowCredit + 1; left -= 1)
      await chargeSms(server.world.db, { plantId, messageId: 2_000_000 + ++count, now: server.world.clock.date() });
    await anSms(owner);
    await run();
    await anSms(owner);
    await run();
    expect((await mailsOf(owner)).map(({ subject }) => subject)).toEqual(
      Array(2).fill(`Only ${lowCredit} SMS are left`),
    );
    for (let left = lowCredit - 1; left > 1; left -= 1)
      await chargeSms(server.world.db, { plantId, messageId: 2_000_000 + ++count, now: server.world.clock.date() });
    await anSms(owner);
    await run();
    expect((await mailsOf(owner)).slice(2).map(({ subject }) => subject)).toEqual(
      Array(2).fill("No SMS credit is left"),
    );
  });
});
