import { sms } from "@telltale/contract/domains/billing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOwner } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { chargeSms, creditOrder, Movement, returnSms } from "./ledger.ts";

let server: TestServer;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe("the ledger", () => {
  test("is never changed", async () => {
    const { plantId } = await anOwner(server.world);
    const { db } = server.world;
    const mine = db.updateTable("ledger").set({ sms: 1000 }).where("plant_id", "=", plantId);
    await expect(mine.execute()).rejects.toThrow("never changed");
    await expect(db.deleteFrom("ledger").where("plant_id", "=", plantId).execute()).rejects.toThrow("never changed");
  });

  test("adds up to the balance, whatever is bought, used, tried again and given back at the same time", async () => {
    const { db, clock } = server.world;
    const step = fc.oneof(
      fc.record({ what: fc.constant("charge" as const), message: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ what: fc.constant("return" as const), message: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ what: fc.constant("buy" as const), message: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const owner = await anOwner(server.world);
        const { plantId } = owner;
        count += 10;
        const base = 3_000_000 + count;
        const now = clock.date();
        const ordered = await Promise.all(
          steps.filter(({ what }) => what === "buy").map(() => server.as(owner)(sms.create, { packageId: 1 })),
        );
        const ids = await Promise.all(
          ordered.map(({ orderSn }) =>
            db.selectFrom("orders").select("order_id").where("order_sn", "=", orderSn).executeTakeFirstOrThrow(),
          ),
        );
        await Promise.all(
          steps.map(({ what, message }) => {
            const messageId = base + message;
            if (what === "charge")
              return db
                .transaction()
                .execute((trx) => chargeSms(trx, { plantId, messageId, now }))
                .catch(() => undefined);
            if (what === "return")
              return db
                .transaction()
                .execute((trx) => returnSms(trx, { plantId, messageId, now }))
                .catch(() => undefined);
            const orderId = ids.pop()?.order_id ?? 0;
            return db.transaction().execute((trx) => creditOrder(trx, { plantId, orderId, sms: 100, now }));
          }),
        );
        const rows = await db
          .selectFrom("ledger")
          .selectAll()
          .where("plant_id", "=", plantId)
          .orderBy("entry_id")
          .execute();
        expect(rows.reduce((sum, row) => sum + row.sms, 0)).toBe((await server.as(owner)(sms.left, {})).leftSms);
        for (const kind of [Movement.smsUsed, Movement.smsReturned]) {
          const messages = rows.filter((row) => row.kind === kind).map((row) => row.message_id);
          expect(new Set(messages).size).toBe(messages.length);
        }
        expect(rows.every((row) => (row.sms_left ?? 0) >= 0)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
