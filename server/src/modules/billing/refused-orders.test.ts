import { Code, Message } from "@telltale/contract/call/codes";
import { orders, sandbox } from "@telltale/contract/domains/billing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDeviceManager, anAdmin, anInstaller, anOwner, aSupportView, aViewer } from "../../test/test-people.ts";
import { sixty, type TestPurchases, testPurchases } from "../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let shop: TestPurchases;

beforeAll(async () => {
  server = await startTestServer();
  shop = testPurchases(server);
});
afterAll(() => server.close());

const refusal = (code: number, message?: string | RegExp) =>
  expect.objectContaining({ code, ...(message ? { message: expect.stringMatching(message) } : {}) });

describe("refused, and nothing changes:", () => {
  /** Makes the call and checks that the plant's device and orders are unchanged. */
  const expectRefused = async (deviceId: number, attempt: () => Promise<unknown>, answer: unknown) => {
    const before = await shop.rowOf(deviceId);
    await expect(attempt()).rejects.toEqual(answer);
    expect(await shop.rowOf(deviceId)).toEqual(before);
  };

  test("a device of another plant", async () => {
    const { deviceId } = await shop.aDueStation();
    const stranger = await anOwner(server.world);
    await expectRefused(deviceId, () => server.as(stranger)(orders.prices, { deviceId }), refusal(Code.notFound));
    await expectRefused(
      deviceId,
      () => server.as(stranger)(orders.create, { deviceId, ...sixty }),
      refusal(Code.notFound),
    );
  });

  test("a sub-device, which shares its main device's service", async () => {
    const { owner, subId } = await shop.aDueStation();
    const answer = refusal(Code.invalid, "shares the service of its main device: pay for Station");
    await expectRefused(subId, () => server.as(owner)(orders.prices, { deviceId: subId }), answer);
    await expectRefused(subId, () => server.as(owner)(orders.create, { deviceId: subId, ...sixty }), answer);
  });

  test("a package that is not on offer, or is not what was shown", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const create = (choice: Partial<typeof sixty>) =>
      server.as(owner)(orders.create, { deviceId, ...sixty, ...choice });
    await expectRefused(deviceId, () => create({ packageId: 99 }), refusal(Code.notFound, "not on offer"));
    await expectRefused(deviceId, () => create({ storageSpace: 500 }), refusal(Code.invalid, "has changed"));
  });

  test.each([0, 4, -1, 1.5, "two", ""])("year %j", async (year) => {
    const { owner, deviceId } = await shop.aDueStation();
    const url = `${orders.create.path}?token=${owner.token}`;
    const answer = await server.app.inject({ method: "POST", url, payload: { deviceId, ...sixty, year } });
    expect(answer.json()).toMatchObject({ code: Code.invalid, msg: "Choose 1, 2 or 3 years" });
  });

  test("an amount that the browser makes up is not even read", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const url = `${orders.create.path}?token=${owner.token}`;
    const made = await server.app.inject({
      method: "POST",
      url,
      payload: { deviceId, ...sixty, money: "0.01", total: "0.01", amount_cents: 1 },
    });
    expect(await shop.orderRow(made.json().result.orderSn)).toMatchObject({ amount_cents: 4800, currency: "USD" });
  });

  test("an approval of another amount than the order's", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const returned = await shop.approve(owner, paymentId);
    const payments = server.world.db.updateTable("sandbox_payments").set({ amount_cents: 1 });
    await payments.where("payment_id", "=", paymentId).execute();
    const answer = refusal(Code.invalid, "not that of the order. Nothing was paid");
    await expectRefused(deviceId, () => shop.settle(owner, returned), answer);
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "approved", capture_id: null });
  });

  test("a payment that nobody, or somebody else, has approved", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { paymentId } = await shop.order(owner, deviceId);
    const answer = refusal(Code.invalid, "has not been approved");
    await expectRefused(deviceId, () => shop.settle(owner, { paymentId, payerId: "PAYER" }), answer);
    await shop.approve(owner, paymentId);
    await expectRefused(deviceId, () => shop.settle(owner, { paymentId, payerId: "PAYER" }), answer);
  });

  test("an approval that has expired; then the order can be paid anew", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const returned = await shop.approve(owner, paymentId);
    server.world.clock.pass(3 * 3_600_000 + 1);
    const answer = refusal(Code.invalid, "has expired and nothing was paid");
    await expectRefused(deviceId, () => shop.settle(owner, returned), answer);
    await expectRefused(deviceId, () => server.as(owner)(sandbox.approve, { paymentId }), answer);
    const { id } = await server.as(owner)(orders.pay, { orderSn });
    expect(id).not.toBe(paymentId);
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "created", payer_id: null, approved_time: null });
    await expectRefused(deviceId, () => shop.settle(owner, returned), refusal(Code.notFound));
    await shop.settle(owner, await shop.approve(owner, id));
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured" });
  });

  test("another plant's order, by its number and by its payment", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const stranger = await anOwner(server.world);
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const foreign = refusal(Code.notFound);
    await expectRefused(deviceId, () => server.as(stranger)(orders.pay, { orderSn }), foreign);
    await expectRefused(deviceId, () => server.as(stranger)(sandbox.checkout, { paymentId }), foreign);
    await expectRefused(deviceId, () => server.as(stranger)(sandbox.approve, { paymentId }), foreign);
    const returned = await shop.approve(owner, paymentId);
    await expectRefused(deviceId, () => shop.settle(stranger, returned), foreign);
  });

  test("an order whose device has left the plant", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const returned = await shop.approve(owner, paymentId);
    const { plantId } = await anOwner(server.world);
    await server.world.db.updateTable("devices").set({ plant_id: plantId }).where("device_id", "=", deviceId).execute();
    await expectRefused(
      deviceId,
      () => shop.settle(owner, returned),
      refusal(Code.conflict, "no longer in this plant"),
    );
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "approved" });
  });

  test("users who are neither owner nor admin, and support views", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const returned = await shop.approve(owner, paymentId);
    const { world } = server;
    const others = [await aDeviceManager(world, owner), await anInstaller(world, owner), await aViewer(world, owner)];
    const support = await aSupportView(world, owner);
    for (const [person, message] of [
      ...others.map((other) => [other, Message.notAllowed] as const),
      [support, Message.readOnly] as const,
    ]) {
      const answer = refusal(Code.notAllowed, message);
      const client = server.as(person);
      await expectRefused(deviceId, () => client(orders.prices, { deviceId }), answer);
      await expectRefused(deviceId, () => client(orders.create, { deviceId, ...sixty }), answer);
      await expectRefused(deviceId, () => client(orders.pay, { orderSn }), answer);
      await expectRefused(deviceId, () => client(sandbox.approve, { paymentId }), answer);
      await expectRefused(deviceId, () => shop.settle(person, returned), answer);
    }
    await shop.settle(await anAdmin(world, owner), returned);
  });
});
