import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { invalid } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import type { Amount, Payment, Payments } from "./payments.ts";
import { captureError, oldestLiving, type SandboxPayment } from "./sandbox.rules.ts";

const newId = (kind: string): string => `${kind}-${randomBytes(12).toString("hex").toUpperCase()}`;

/** The console's page that replaces a provider's checkout. */
const checkoutUrl = (paymentId: string): string => `/sandboxCheckout?${new URLSearchParams({ paymentId })}`;

/** Where a buyer returns after the approval, with PayPal's parameters. (spec 2 §2) */
export const returnUrl = (paymentId: string, payerId: string): string =>
  `/payResult?${new URLSearchParams({ paymentId, PayerID: payerId })}`;

type Needs = Pick<World, "db" | "clock">;

const begin = async ({ db, clock }: Needs, orderSn: string, { cents, currency }: Amount): Promise<string> => {
  const now = clock.date();
  const fresh = { payment_id: newId("SANDBOX"), amount_cents: cents, currency, created_time: now };
  const inserted = db.insertInto("sandbox_payments").values({ order_sn: orderSn, ...fresh });
  const { payment_id } = await inserted
    .onConflict((conflict) =>
      conflict.column("order_sn").doUpdateSet((eb) => {
        const isOver = sql`sandbox_payments.capture_id is null and sandbox_payments.created_time < ${oldestLiving(now)}`;
        const kept = <T>(column: "payment_id" | "payer_id" | "created_time") =>
          sql<T>`case when ${isOver} then ${eb.ref(`excluded.${column}`)} else ${eb.ref(`sandbox_payments.${column}`)} end`;
        return {
          payment_id: kept<string>("payment_id"),
          payer_id: kept<string | null>("payer_id"),
          created_time: kept<Date>("created_time"),
        };
      }),
    )
    .returning("payment_id")
    .executeTakeFirstOrThrow();
  return payment_id;
};

const found = (payment: SandboxPayment | undefined, id: string, now: Date): Payment => {
  if (payment?.capture_id)
    return { status: "captured", payerId: payment.payer_id ?? "", captureId: payment.capture_id };
  if (!payment || payment.created_time < oldestLiving(now)) return { status: "gone" };
  return payment.payer_id === null
    ? { status: "created", url: checkoutUrl(id) }
    : { status: "approved", payerId: payment.payer_id };
};

/** Whether the sandbox created this payment. */
export const isSandboxPayment = async (db: World["db"], paymentId: string): Promise<boolean> =>
  (await db
    .selectFrom("sandbox_payments")
    .select("payment_id")
    .where("payment_id", "=", paymentId)
    .executeTakeFirst()) !== undefined;

/**
 * Approves a sandbox payment at the checkout; returns the payer's id, the same each time. Undefined when there is no such payment or it has expired.
 */
export const approveSandboxPayment = async ({ db, clock }: Needs, paymentId: string): Promise<string | undefined> => {
  const approved = await db
    .updateTable("sandbox_payments")
    .set({ payer_id: sql<string>`coalesce(payer_id, ${newId("PAYER")})` })
    .where("payment_id", "=", paymentId)
    .where("created_time", ">=", oldestLiving(clock.date()))
    .returning("payer_id")
    .executeTakeFirst();
  return approved?.payer_id ?? undefined;
};

/** Creates the built-in checkout for a server without a payment provider: same flow, moves no money and says so. */
export const createSandboxPayments = (needs: Needs): Payments => ({
  kind: "sandbox",
  begin: async ({ orderSn, amount }) => {
    const id = await begin(needs, orderSn, amount);
    return { id, url: checkoutUrl(id) };
  },
  find: async (id) => {
    const { db, clock } = needs;
    const payment = db.selectFrom("sandbox_payments").selectAll().where("payment_id", "=", id);
    return found(await payment.executeTakeFirst(), id, clock.date());
  },
  // The sandbox sends no webhook calls.
  readWebhook: async () => undefined,
  capture: ({ id, payerId, amount }) =>
    needs.db.transaction().execute(async (transaction) => {
      const payment = await transaction
        .selectFrom("sandbox_payments")
        .selectAll()
        .where("payment_id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      const validationError = captureError(payment, payerId, amount, needs.clock.date());
      if (validationError) throw invalid(validationError);
      const captureId = payment?.capture_id ?? newId("CAPTURE");
      const taken = transaction.updateTable("sandbox_payments").set({ capture_id: captureId });
      await taken.where("payment_id", "=", id).execute();
      return { captureId };
    }),
});
