import { Code } from "@telltale/contract/call/codes";
import { captureRefused, orders, PaymentStatus, paypal } from "@telltale/contract/domains/billing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { yearsAfter } from "../../../platform/calendar.ts";
import { createTestPaypal, type TestPaypal } from "../../../test/test-paypal.ts";
import { anOwner } from "../../../test/test-people.ts";
import { type TestPurchases, testPurchases } from "../../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createOpenOrdersJob } from "../orders/reconcile-job.ts";
import { createPaypalPayments } from "./paypal.ts";

let server: TestServer;
let shop: TestPurchases;
let provider: TestPaypal;

beforeAll(async () => {
  server = await startTestServer();
  shop = testPurchases(server);
});
beforeEach(async () => {
  provider = await createTestPaypal();
  server.world.payments = createPaypalPayments(server.world, provider.account, 500);
  return provider.close;
});
afterAll(() => server.close());

const refusal = (code: number, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

/** Creates an order that its buyer has approved at PayPal. */
const approved = async () => {
  const { owner, deviceId } = await shop.aDueStation();
  const { orderSn, paymentId, url } = await shop.order(owner, deviceId);
  return { owner, deviceId, orderSn, paymentId, url, payerId: provider.approve(paymentId) };
};
type Approved = Awaited<ReturnType<typeof approved>>;

const settle = ({ owner, paymentId, payerId }: Approved) => server.as(owner)(orders.settle, { paymentId, payerId });
const capture = ({ owner, paymentId }: Approved) => server.as(owner)(paypal.captureOrder, { id: paymentId });

/** Checks payment and delivery: exactly one year for exactly one capture. */
const expectPaidOnce = async ({ owner, deviceId, orderSn }: Approved) => {
  expect(provider.captures()).toBe(1);
  expect((await shop.rowOf(deviceId)).expire_time).toEqual(yearsAfter(server.world.clock.date(), 1));
  expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured" });
  const booked = server.world.db.selectFrom("ledger").select(["kind", "cents"]).where("plant_id", "=", owner.plantId);
  expect(await booked.where("kind", "=", 1).execute()).toEqual([{ kind: 1, cents: 4800 }]);
};
const expectUnpaid = async ({ deviceId, orderSn }: Approved) => {
  expect(provider.captures()).toBe(0);
  expect(await shop.orderRow(orderSn)).toMatchObject({ capture_id: null });
  expect(Number((await shop.rowOf(deviceId)).expire_time)).toBeLessThan(server.world.clock.now());
};

describe("a payment by PayPal", () => {
  test("sends the buyer to PayPal with the server's own amount, and back to the console", async () => {
    const bought = await approved();
    expect(bought.url).toBe(`https://paypal.test/checkoutnow?token=${bought.paymentId}`);
    expect(provider.orders.get(bought.paymentId)).toMatchObject({
      value: "48.00",
      orderSn: bought.orderSn,
      returnUrl: "https://telltale.test/payResult",
    });
    expect(await settle(bought)).toMatchObject({ orderSn: bought.orderSn, total: 4800 });
    await expectPaidOnce(bought);
  });

  test("in two steps at one's own page: what is bought, then COMPLETED with the order's number", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn } = await server.as(owner)(orders.create, { deviceId, packageId: 2, storageSpace: 2, year: 3 });
    const { id } = await server.as(owner)(paypal.createOrder, { orderSn });
    const look = () => server.as(owner)(paypal.queryOrder, { id });
    expect(await look()).toMatchObject({
      id,
      orderSn,
      status: PaymentStatus.created,
      payer: null,
      url: `https://paypal.test/checkoutnow?token=${id}`,
      purchase_units: [
        {
          items: [{ name: "10 3", description: (await shop.rowOf(deviceId)).device_sn_id }],
          amount: { breakdown: { item_total: { value: 28_800, currency_code: "USD" } } },
        },
      ],
    });
    const payer_id = provider.approve(id);
    expect(await look()).toMatchObject({ status: PaymentStatus.approved, payer: { payer_id }, url: null });
    const done = { id, orderSn, status: PaymentStatus.completed };
    expect(await server.as(owner)(paypal.captureOrder, { id })).toEqual(done);
    expect(await server.as(owner)(paypal.captureOrder, { id })).toEqual(done);
    expect(await look()).toMatchObject({ status: PaymentStatus.completed });
    expect(provider.captures()).toBe(1);
  });

  test("two clicks are one payment; after one that can no longer be made there is another", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const pay = () => server.as(owner)(orders.pay, { orderSn });
    expect(new Set((await Promise.all([pay(), pay(), pay()])).map(({ id }) => id))).toEqual(new Set([paymentId]));
    const held = provider.orders.get(paymentId);
    if (held) held.status = "VOIDED";
    const { id } = await pay();
    expect(id).not.toBe(paymentId);
    expect((await pay()).id).toBe(id);
  });

  test("that was not approved is refused as 422, and nothing was paid", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const open = { owner, deviceId, orderSn, paymentId, url: "", payerId: "PAYER" };
    await expect(capture(open)).rejects.toEqual(refusal(Code.invalid, captureRefused));
    await expect(settle(open)).rejects.toEqual(refusal(Code.invalid, captureRefused));
    await expectUnpaid(open);
  });

  test("that PayPal refuses to take is refused as 422", async () => {
    const bought = await approved();
    provider.misbehave({ at: "/capture", by: 422 });
    await expect(capture(bought)).rejects.toEqual(refusal(Code.invalid, captureRefused));
    await expectUnpaid(bought);
  });

  test("whose taking PayPal answers briefly is paid, or pending as PayPal says when it is asked", async () => {
    provider.beBrief();
    const bought = await approved();
    await settle(bought);
    await expectPaidOnce(bought);
    provider.settleCapturesAs("PENDING");
    await expect(settle(await approved())).rejects.toEqual(refusal(Code.conflict, "still working"));
  });

  test("that PayPal refuses to begin leaves no open order, and the buyer gets an error", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    provider.misbehave({ at: "/v2/checkout/orders", by: 422 });
    await expect(shop.order(owner, deviceId)).rejects.toEqual(refusal(Code.conflict, "Nothing was paid"));
  });

  test("of another amount than the order's is not taken", async () => {
    const bought = await approved();
    const held = provider.orders.get(bought.paymentId);
    if (held) held.value = "0.48";
    await expect(settle(bought)).rejects.toEqual(refusal(Code.invalid, "not that of the order"));
    await expectUnpaid(bought);
  });

  test("by another payer is not taken", async () => {
    const bought = await approved();
    await expect(settle({ ...bought, payerId: "SOMEBODY" })).rejects.toEqual(refusal(Code.invalid, "not approved"));
    await expectUnpaid(bought);
  });

  test("of another plant's order is not found", async () => {
    const bought = await approved();
    const stranger = await anOwner(server.world);
    await expect(capture({ ...bought, owner: stranger })).rejects.toEqual(refusal(Code.notFound, ""));
    const look = server.as(stranger)(paypal.queryOrder, { id: bought.paymentId });
    await expect(look).rejects.toEqual(refusal(Code.notFound, ""));
    await expectUnpaid(bought);
  });

  test.each([
    ["answers 500", 500],
    ["hangs up", "hanging up"],
    ["never answers", "silence"],
  ] as const)("while PayPal %s loses nothing: it says so, and the next try pays once", async (_what, by) => {
    const bought = await approved();
    // The client itself may retry a few times.
    for (let i = 0; i < 8; i += 1) provider.misbehave({ at: "/capture", by });
    await expect(settle(bought)).rejects.toEqual(refusal(Code.conflict, "does not answer"));
    await expectUnpaid(bought);
    provider.behave();
    await settle(bought);
    await expectPaidOnce(bought);
  });

  test("whose answer was lost after the money was taken is paid once", async () => {
    const bought = await approved();
    provider.misbehave({ at: "/capture", by: "hanging up", after: true });
    await settle(bought).catch(() => undefined);
    await settle(bought);
    await expectPaidOnce(bought);
  });

  test("is paid once under concurrent calls of any kind", async () => {
    const bought = await approved();
    const job = createOpenOrdersJob(server.world);
    server.world.clock.pass(10 * 60_000);
    await Promise.all([settle(bought), capture(bought), job.run(), settle(bought), capture(bought), settle(bought)]);
    await expectPaidOnce(bought);
  });

  test("that is pending at PayPal counts when the money is there", async () => {
    const bought = await approved();
    provider.settleCapturesAs("PENDING");
    await expect(settle(bought)).rejects.toEqual(refusal(Code.conflict, "still working"));
    const look = await server.as(bought.owner)(paypal.queryOrder, { id: bought.paymentId });
    expect(look.status).toBe(PaymentStatus.pending);
    const held = provider.orders.get(bought.paymentId);
    if (held?.capture) held.capture.status = "COMPLETED";
    await settle(bought);
    await expectPaidOnce(bought);
  });
});

describe("an order whose buyer did not return", () => {
  const call = (paymentId: string, sig: string, event = "CHECKOUT.ORDER.APPROVED") =>
    server.app.inject({
      method: "POST",
      url: "/api/paypal/webhook",
      headers: {
        "content-type": "application/json",
        "paypal-auth-algo": "SHA256withRSA",
        "paypal-cert-url": "https://api.paypal.com/cert",
        "paypal-transmission-id": "1",
        "paypal-transmission-time": "2026-11-21T12:00:00Z",
        ...(sig ? { "paypal-transmission-sig": sig } : {}),
      },
      payload: `{"event_type":"${event}", "resource":{"id":"${event.startsWith("CHECKOUT") ? paymentId : "X"}","supplementary_data":{"related_ids":{"order_id":"${paymentId}"}}}}`,
    });

  test("is settled by PayPal's call, once, however often it is repeated", async () => {
    const bought = await approved();
    const answers = await Promise.all(Array.from({ length: 4 }, () => call(bought.paymentId, "genuine")));
    for (const { statusCode } of answers) expect(statusCode).toBe(200);
    expect((await call(bought.paymentId, "genuine", "PAYMENT.CAPTURE.COMPLETED")).statusCode).toBe(200);
    await expectPaidOnce(bought);
    await settle(bought);
    await expectPaidOnce(bought);
  });

  test.each(["forged", ""])("is not settled by a call with the signature %j", async (sig) => {
    const bought = await approved();
    expect((await call(bought.paymentId, sig)).statusCode).toBe(400);
    await expectUnpaid(bought);
  });

  test("is not settled by a call before it was approved, whatever that says", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    expect((await call(paymentId, "genuine", "PAYMENT.CAPTURE.COMPLETED")).statusCode).toBe(200);
    await expectUnpaid({ owner, deviceId, orderSn, paymentId, url: "", payerId: "" });
  });

  test("is called again later when PayPal can't be asked", async () => {
    const bought = await approved();
    for (let i = 0; i < 8; i += 1) provider.misbehave({ at: "/verify-webhook", by: 500 });
    expect((await call(bought.paymentId, "genuine")).statusCode).toBe(503);
  });

  test("a body that is no JSON, or too large, is refused", async () => {
    const send = (payload: string) => server.app.inject({ method: "POST", url: "/api/paypal/webhook", payload });
    expect((await send("{")).statusCode).toBe(400);
    const { paymentId } = await approved();
    expect((await call(paymentId, "genuine", `X"},"webhook_id":"of somebody else","x":{"y":"`)).statusCode).toBe(400);
    expect((await send("x".repeat(100_000))).json()).toMatchObject({ code: Code.invalid });
  });

  test("is settled by the server's own look after some minutes", async () => {
    const bought = await approved();
    const job = createOpenOrdersJob(server.world);
    await job.run();
    await expectUnpaid(bought);
    server.world.clock.pass(4 * 60_000);
    await job.run();
    await expectPaidOnce(bought);
  });
});
