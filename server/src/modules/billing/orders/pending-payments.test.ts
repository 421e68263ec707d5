import { Code } from "@telltale/contract/call/codes";
import { orders, PaymentStatus, paypal, sms } from "@telltale/contract/domains/billing";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { yearsAfter } from "../../../platform/calendar.ts";
import { anUnclaimedDevice } from "../../../test/test-devices.ts";
import { createTestPaypal, type TestPaypal } from "../../../test/test-paypal.ts";
import { anOwner, type Person } from "../../../test/test-people.ts";
import { type TestPurchases, testPurchases } from "../../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createPaypalPayments } from "../payments/paypal.ts";
import { createOpenOrdersJob } from "./reconcile-job.ts";

let server: TestServer;
let shop: TestPurchases;
let provider: TestPaypal;

beforeAll(async () => {
  server = await startTestServer();
  shop = testPurchases(server);
});
beforeEach(async () => {
  provider = await createTestPaypal();
  provider.settleCapturesAs("PENDING");
  server.world.payments = createPaypalPayments(server.world, provider.account, 500);
  return provider.close;
});
afterAll(() => server.close());

const day = 86_400_000;
const stillWorking = expect.objectContaining({
  code: Code.conflict,
  message: expect.stringContaining("still working"),
});

/** The page that shows an order once more, and asks for its state as long as it is pending. */
const look = async (person: Person, id: string) => (await server.as(person)(paypal.queryOrder, { id })).status;

/** The buyer approves and returns; PayPal has not got the money yet. */
const payPending = async (owner: Person, paymentId: string): Promise<{ paymentId: string; payerId: string }> => {
  const returned = { paymentId, payerId: provider.approve(paymentId) };
  await expect(shop.settle(owner, returned)).rejects.toEqual(stillWorking);
  return returned;
};
const arrive = (paymentId: string): void => {
  const held = provider.orders.get(paymentId);
  if (held?.capture) held.capture.status = "COMPLETED";
};
/** The server's own look, some minutes later. */
const lookLater = async (later = 4 * 60_000): Promise<void> => {
  server.world.clock.pass(later);
  await createOpenOrdersJob(server.world).run();
};

describe("money that arrives while the buyer's page waits", () => {
  test("is delivered before the page says COMPLETED", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    await payPending(owner, paymentId);
    expect(await look(owner, paymentId)).toBe(PaymentStatus.pending);
    arrive(paymentId);
    expect(await look(owner, paymentId)).toBe(PaymentStatus.completed);
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured" });
    expect((await shop.rowOf(deviceId)).expire_time).toEqual(yearsAfter(server.world.clock.date(), 1));
    expect(await look(owner, paymentId)).toBe(PaymentStatus.completed);
    expect(provider.captures()).toBe(1);
  });

  test("brings SMS credit likewise, once", async () => {
    const owner = await anOwner(server.world);
    const { orderSn } = await server.as(owner)(sms.create, { packageId: 1 });
    const { id } = await server.as(owner)(orders.pay, { orderSn });
    await payPending(owner, id);
    arrive(id);
    expect(await Promise.all([look(owner, id), look(owner, id)])).toEqual(Array(2).fill(PaymentStatus.completed));
    expect((await server.as(owner)(sms.left, {})).leftSms).toBe(125);
  });

  test("is not COMPLETED while it cannot be delivered", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    await payPending(owner, paymentId);
    arrive(paymentId);
    const held = provider.orders.get(paymentId);
    if (held) held.value = "0.48";
    await expect(look(owner, paymentId)).rejects.toMatchObject({ code: Code.invalid });
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "created" });
  });
});

test("money that is under way for weeks is recorded by the server's own look when it arrives", async () => {
  const { owner, deviceId } = await shop.aDueStation();
  const { orderSn, paymentId } = await shop.order(owner, deviceId);
  await payPending(owner, paymentId);
  for (let days = 0; days < 3; days += 1) await lookLater(day);
  // The server is off for a while.
  await lookLater(12 * day);
  expect(await shop.orderRow(orderSn)).toMatchObject({ status: "created" });
  arrive(paymentId);
  await lookLater();
  expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured", captured_time: server.world.clock.date() });
  expect((await shop.rowOf(deviceId)).expire_time).toEqual(yearsAfter(server.world.clock.date(), 1));
});

describe("money for a device that has left the plant meanwhile", () => {
  /** An order of a unit that the plant has just added. */
  const anOrderedUnit = async () => {
    const owner = await anOwner(server.world);
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    const { deviceId } = await server.as(owner)(devices.add, { deviceSnId, deviceName: "Boiler" });
    const { expire_time: before } = await shop.rowOf(deviceId);
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const remove = () => server.as(owner)(deviceConfiguration.remove, { deviceId });
    const unit = () =>
      server.world.db
        .selectFrom("devices")
        .select("expire_time")
        .where("device_sn_id", "=", deviceSnId)
        .executeTakeFirstOrThrow();
    return { owner, orderSn, paymentId, remove, unit, paidUntil: yearsAfter(before ?? new Date(0), 1) };
  };

  test("counts for the unit when PayPal has it, and until then the buyer is told that it is under way", async () => {
    const { owner, orderSn, paymentId, remove, unit, paidUntil } = await anOrderedUnit();
    const returned = await payPending(owner, paymentId);
    await remove();
    await expect(shop.settle(owner, returned)).rejects.toEqual(stillWorking);
    arrive(paymentId);
    await lookLater();
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured" });
    expect((await unit()).expire_time).toEqual(paidUntil);
  });

  test("counts for the unit when the server ended after it was taken and before that was written", async () => {
    provider.settleCapturesAs("COMPLETED");
    const { owner, orderSn, paymentId, remove, unit, paidUntil } = await anOrderedUnit();
    const returned = { paymentId, payerId: provider.approve(paymentId) };
    const amount = { cents: (await shop.orderRow(orderSn)).amount_cents, currency: "USD" };
    await server.world.payments.capture({ id: paymentId, payerId: returned.payerId, amount });
    await remove();
    expect(await shop.settle(owner, returned)).toMatchObject({ orderSn, expireTime: paidUntil });
    expect((await unit()).expire_time).toEqual(paidUntil);
    expect(provider.captures()).toBe(1);
  });

  test("is not taken when it was only approved", async () => {
    const { owner, paymentId, remove } = await anOrderedUnit();
    const returned = { paymentId, payerId: provider.approve(paymentId) };
    await remove();
    await expect(shop.settle(owner, returned)).rejects.toMatchObject({ code: Code.conflict });
    expect(provider.captures()).toBe(0);
  });
});
