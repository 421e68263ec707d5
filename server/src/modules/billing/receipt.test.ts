import { Code } from "@telltale/contract/call/codes";
import { orders } from "@telltale/contract/domains/billing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackedPdf } from "../../test/test-pdf.ts";
import { anOwner } from "../../test/test-people.ts";
import { type TestPurchases, testPurchases } from "../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let shop: TestPurchases;

beforeAll(async () => {
  server = await startTestServer();
  shop = testPurchases(server);
});
afterAll(() => server.close());

test("a paid order has a receipt as PDF; an unpaid one, or another plant's, has none", async () => {
  const { owner, deviceId } = await shop.aDueStation();
  const { orderSn } = await shop.buy(owner, deviceId);
  const receipt = await server.as(owner)(orders.receipt, { orderSn });
  expect(receipt.type).toBe("application/pdf");
  const pdf = Buffer.from(await receipt.arrayBuffer()).toString("latin1");
  expect(pdf).toMatch(/^%PDF-/);
  expect(pdf).toContain(`Receipt ${orderSn}`);
  expect(pdf.trimEnd()).toMatch(/%%EOF$/);

  const notFound = expect.objectContaining({ code: Code.notFound });
  const stranger = await anOwner(server.world);
  await expect(server.as(stranger)(orders.receipt, { orderSn })).rejects.toEqual(notFound);
  const unpaid = await shop.order(owner, deviceId);
  await expect(server.as(owner)(orders.receipt, { orderSn: unpaid.orderSn })).rejects.toEqual(notFound);
});

test("a plant's name is written on the receipt in its own letters", async () => {
  const { owner, deviceId } = await shop.aDueStation();
  const { orderSn } = await shop.buy(owner, deviceId);
  const named = server.world.db.updateTable("plants").set({ name: "Łódź · Завод" });
  await named.where("plant_id", "=", owner.plantId).execute();
  const receipt = await server.as(owner)(orders.receipt, { orderSn });
  const letters = unpackedPdf(Buffer.from(await receipt.arrayBuffer()));
  for (const letter of "Łź·Зв") {
    const point = (letter.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    expect(letters, letter).toMatch(new RegExp(`<${point}>`, "i"));
  }
});
