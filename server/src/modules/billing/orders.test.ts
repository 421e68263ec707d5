import { Code } from "@telltale/contract/call/codes";
import { orders, sandbox } from "@telltale/contract/domains/billing";
import { DeviceStatus, devices } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { yearsAfter } from "../../platform/calendar.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anAdmin } from "../../test/test-people.ts";
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

describe("a purchase", () => {
  test("is offered as packages with price, space and report interval limit; money is a decimal text on the wire", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const options = await server.as(owner)(orders.prices, { deviceId });
    expect(
      options.map(({ reportIntervalLimit, money, storageSpace }) => [reportIntervalLimit, money, storageSpace]),
    ).toEqual([
      [60, 4800, 1],
      [10, 9600, 2],
      [1, 19_200, 10],
    ]);
    const url = `${orders.prices.path}?deviceId=${deviceId}&token=${owner.token}`;
    expect((await server.app.inject(url)).json()).toMatchObject({ code: 0, result: [{ money: "48.00" }, {}, {}] });
  });

  test("shows in the checkout what is bought and for how much", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId, url } = await shop.order(owner, deviceId, { packageId: 2, storageSpace: 2, year: 3 });
    expect(url).toBe(`/sandboxCheckout?paymentId=${paymentId}`);
    expect(await server.as(owner)(sandbox.checkout, { paymentId })).toEqual({
      orderSn,
      total: 28_800,
      service: {
        deviceName: "Station",
        deviceSnId: (await shop.rowOf(deviceId)).device_sn_id,
        reportIntervalLimit: 10,
        storageSpace: 2,
        years: 3,
      },
      smsNum: null,
    });
  });

  test("extends the service of the device and its sub-devices, at once and for whoever watches", async () => {
    const { owner, deviceId, subId } = await shop.aDueStation();
    const heard: unknown[] = [];
    const offs = [
      server.world.bus.on("live", ({ plantId, message }) => heard.push([plantId, message.cmd])),
      server.world.bus.on("deviceChange", (change) => heard.push(change.deviceId)),
    ];
    const { orderSn, paid } = await shop.buy(owner, deviceId, { packageId: 2, storageSpace: 2, year: 2 });
    const now = server.world.clock.date();
    const expireTime = yearsAfter(now, 2);
    expect(paid).toEqual({ orderSn, deviceName: "Station", total: 19_200, expireTime, smsNum: null });
    await expect.poll(() => heard).toEqual(expect.arrayContaining([deviceId, subId]));
    expect(heard).toContainEqual([owner.plantId, LiveCommand.dashboardChange]);
    for (const off of offs) off();

    for (const id of [deviceId, subId]) {
      const { device } = await server.as(owner)(devices.detail, { deviceId: id });
      expect(device).toMatchObject({ status: DeviceStatus.normal, expireTime, payTime: now });
      expect(await shop.rowOf(id)).toMatchObject({ report_interval_limit: 10, periodicity: 60 });
    }
    expect(await shop.orderRow(orderSn)).toMatchObject({
      status: "captured",
      captured_time: now,
      service_end: expireTime,
    });
    const audit = server.world.db
      .selectFrom("audit_log")
      .select(["user_id", "detail"])
      .where("action", "=", "order.capture");
    const rows = await audit.where("plant_id", "=", owner.plantId).execute();
    expect(rows).toMatchObject([{ user_id: owner.userId, detail: { orderSn, deviceId, years: 2, cents: 19_200 } }]);
  });

  test("made before the service ends adds to what is left", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { paid } = await shop.buy(owner, deviceId);
    const again = await shop.buy(owner, deviceId, { ...sixty, year: 3 });
    expect(again.paid.expireTime).toEqual(yearsAfter(paid.expireTime ?? new Date(0), 3));
  });

  test("gives a battery unit no shorter interval than it can keep", async () => {
    const { owner, deviceId, subId } = await shop.aDueStation();
    await shop.buy(owner, deviceId, { packageId: 3, storageSpace: 10, year: 1 });
    expect(await shop.rowOf(deviceId)).toMatchObject({ report_interval_limit: 1 });
    expect(await shop.rowOf(subId)).toMatchObject({ report_interval_limit: 10 });
  });

  test("leaves another main device as it was", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const other = await aDevice(server.world, owner);
    const before = await shop.rowOf(other.deviceId);
    await shop.buy(owner, deviceId);
    expect(await shop.rowOf(other.deviceId)).toEqual(before);
  });

  test("is written as approved when the buyer has approved, and brings nothing until it is settled", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const before = await shop.rowOf(deviceId);
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "created" });
    await shop.approve(owner, paymentId);
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "approved", captured_time: null });
    expect(await shop.rowOf(deviceId)).toEqual(before);
  });
});

describe("an order is captured once", () => {
  test("however often the browser comes back", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { paymentId } = await shop.order(owner, deviceId);
    const returned = await shop.approve(owner, paymentId);
    const first = await shop.settle(owner, returned);
    const after = await shop.rowOf(deviceId);
    server.world.clock.pass(4 * 3_600_000);
    expect(await shop.settle(owner, returned)).toEqual(first);
    expect(await shop.rowOf(deviceId)).toEqual(after);
  });

  test("under concurrent calls", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const admin = await anAdmin(server.world, owner);
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const returned = await shop.approve(owner, paymentId);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => shop.settle(at % 2 === 0 ? owner : admin, returned)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await shop.rowOf(deviceId)).expire_time).toEqual(yearsAfter(server.world.clock.date(), 1));
    const audit = server.world.db.selectFrom("audit_log").select("audit_id").where("action", "=", "order.capture");
    expect(await audit.where("plant_id", "=", owner.plantId).execute()).toHaveLength(1);
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured" });
  });

  test("and two orders of one device that race both count", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const returned = [];
    for (let i = 0; i < 4; i += 1)
      returned.push(await shop.approve(owner, (await shop.order(owner, deviceId)).paymentId));
    await Promise.all(returned.map((each) => shop.settle(owner, each)));
    expect((await shop.rowOf(deviceId)).expire_time).toEqual(yearsAfter(server.world.clock.date(), 4));
  });

  test("also when the server ended after the money was taken and before that was written", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const returned = await shop.approve(owner, paymentId);
    const { amount_cents: cents, currency } = await shop.orderRow(orderSn);
    const { captureId } = await server.world.payments.capture({
      id: paymentId,
      payerId: returned.payerId,
      amount: { cents, currency },
    });
    await shop.settle(owner, returned);
    expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured", capture_id: captureId });
    expect((await shop.rowOf(deviceId)).expire_time).toEqual(yearsAfter(server.world.clock.date(), 1));
  });

  test("two clicks on pay are one payment, and what is paid can't be paid again", async () => {
    const { owner, deviceId } = await shop.aDueStation();
    const { orderSn, paymentId } = await shop.order(owner, deviceId);
    const pay = () => server.as(owner)(orders.pay, { orderSn });
    expect(new Set((await Promise.all([pay(), pay(), pay()])).map(({ id }) => id))).toEqual(new Set([paymentId]));
    await shop.settle(owner, await shop.approve(owner, paymentId));
    const paidAlready = refusal(Code.conflict, "has been paid already");
    await expect(pay()).rejects.toEqual(paidAlready);
    await expect(server.as(owner)(sandbox.checkout, { paymentId })).rejects.toEqual(paidAlready);
    await expect(server.as(owner)(sandbox.approve, { paymentId })).rejects.toEqual(paidAlready);
  });
});
