import { Code } from "@telltale/contract/call/codes";
import { orders, paypal } from "@telltale/contract/domains/billing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sixty, type TestPurchases, testPurchases } from "../../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createOpenOrdersJob } from "./reconcile-job.ts";

let server: TestServer;
let shop: TestPurchases;
/** The payments that the provider was asked about. */
const asked: string[] = [];

beforeAll(async () => {
  server = await startTestServer();
  shop = testPurchases(server);
  const { payments } = server.world;
  server.world.payments = {
    ...payments,
    find: (id) => {
      asked.push(id);
      return payments.find(id);
    },
  };
});
afterAll(() => server.close());

const minutes = 60_000;
/** In the sandbox a payment expires after three hours. */
const expire = () => server.world.clock.pass(3 * 60 * minutes + 1);
const look = () => createOpenOrdersJob(server.world).run();

test("a payment that can no longer be completed is asked about once more; the order can be paid anew", async () => {
  const { owner, deviceId } = await shop.aDueStation();
  const { orderSn, paymentId } = await shop.order(owner, deviceId);
  expire();
  for (let times = 0; times < 3; times += 1) {
    await look();
    server.world.clock.pass(4 * minutes);
  }
  expect(asked).toEqual([paymentId]);
  const { id } = await server.as(owner)(orders.pay, { orderSn });
  await shop.approve(owner, id);
  server.world.clock.pass(4 * minutes);
  await look();
  expect(asked).toEqual([paymentId, id]);
  expect(await shop.orderRow(orderSn)).toMatchObject({ status: "captured" });
});

test("a plant begins 50 payments without completing them, and more when one was completed or they have expired", async () => {
  const { owner, deviceId } = await shop.aDueStation();
  const as = server.as(owner);
  const begun = [await shop.order(owner, deviceId)];
  while (begun.length < 50) begun.push(await shop.order(owner, deviceId));
  const anOrder = async () => (await as(orders.create, { deviceId, ...sixty })).orderSn;
  const [next, last] = [await anOrder(), await anOrder()];
  const tooMany = expect.objectContaining({
    code: Code.tooManyTries,
    message: expect.stringContaining("Please complete one of them"),
  });
  await expect(as(orders.pay, { orderSn: next })).rejects.toEqual(tooMany);
  await expect(as(paypal.createOrder, { orderSn: next })).rejects.toEqual(tooMany);
  const [first] = begun;
  if (!first) throw new Error("No payment was begun");
  expect(await as(orders.pay, { orderSn: first.orderSn }), "is gone on with").toMatchObject({ id: first.paymentId });
  const other = await shop.aDueStation();
  await shop.order(other.owner, other.deviceId);

  await shop.settle(owner, await shop.approve(owner, first.paymentId));
  await as(orders.pay, { orderSn: next });
  await expect(as(orders.pay, { orderSn: last })).rejects.toEqual(tooMany);
  expire();
  await look();
  await as(orders.pay, { orderSn: last });
});
