import { Code } from "@telltale/contract/call/codes";
import { orders, paymentsNotSetUp, paypal, sandbox, sms } from "@telltale/contract/domains/billing";
import { site } from "@telltale/contract/domains/people/site";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../../app.ts";
import { testPurchases } from "../../../test/test-purchases.ts";
import { clientsOf, startTestServer, type TestServer } from "../../../test/test-server.ts";
import { noPayments } from "./payments.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("without a payment provider nothing is ordered, begun, approved or taken, and every call says why", async () => {
  const { aDueStation, order, approve } = testPurchases(server);
  const { owner, deviceId } = await aDueStation();
  const [begun, approved] = [await order(owner, deviceId), await order(owner, deviceId)];
  const returned = await approve(owner, approved.paymentId);

  const app = await buildApp({ ...server.world, metrics: new Registry(), payments: noPayments });
  const as = clientsOf(app)(owner);
  const refused = expect.objectContaining({ code: Code.conflict, message: paymentsNotSetUp });
  expect((await as(site.info)).hasPayments).toBe(false);
  await expect(as(orders.create, { deviceId, packageId: 1, storageSpace: 1, year: 1 })).rejects.toEqual(refused);
  await expect(as(sms.create, { packageId: 1 })).rejects.toEqual(refused);
  await expect(as(orders.pay, { orderSn: begun.orderSn })).rejects.toEqual(refused);
  await expect(as(paypal.createOrder, { orderSn: begun.orderSn })).rejects.toEqual(refused);
  await expect(as(paypal.queryOrder, { id: begun.paymentId })).rejects.toEqual(refused);
  await expect(as(orders.settle, returned)).rejects.toEqual(refused);
  await expect(as(paypal.captureOrder, { id: approved.paymentId })).rejects.toEqual(refused);
  for (const call of [sandbox.checkout, sandbox.approve])
    await expect(as(call, { paymentId: begun.paymentId })).rejects.toMatchObject({ code: Code.notFound });
  const captured = await server.world.db.selectFrom("orders").select("order_id").where("status", "=", "captured");
  expect(await captured.execute()).toEqual([]);
  await app.close();
});
