import type { FastifyInstance } from "fastify";
import { anyOrderByPayment } from "../orders/queries.ts";
import { reconcile } from "../orders/reconcile-job.ts";
import type { BillingWorld } from "../payments/payments.ts";

/** Largest event in bytes; PayPal's have a few thousand. */
const bodyLimit = 64 * 1024;
/** Calls that are looked at side by side. Each asks the provider: nobody may make the server ask without end. */
const atOnce = 5;

type Needs = Pick<BillingWorld, "db" | "clock" | "log" | "payments">;

/** Settles the order that a genuine event is about. What the event says is not believed: the provider is asked what is so. */
const heed = async (needs: Needs, paymentId: string | undefined): Promise<void> => {
  const order = paymentId === undefined ? undefined : await anyOrderByPayment(needs.db, paymentId);
  if (order) await reconcile(needs, order);
};

/**
 * `POST /api/paypal/webhook`, which the payment provider calls when a payment was approved or taken. It answers by HTTP status, as the
 * provider expects: 200, 400 for a call that it did not sign, 503 to be called again later.
 */
export const servePaymentWebhook = async (app: FastifyInstance, needs: Needs): Promise<void> => {
  let underWay = 0;
  const evaluate = async (headers: Record<string, string | string[] | undefined>, body: string): Promise<number> => {
    const told = await needs.payments.readWebhook({ headers, body });
    if (!told) return 400;
    await heed(needs, told.paymentId);
    return 200;
  };
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit }, (_request, body, done) => done(null, body));
    scope.post("/api/paypal/webhook", async (request, reply) => {
      if (underWay >= atOnce) return reply.code(503).send();
      underWay += 1;
      try {
        return await reply.code(await evaluate(request.headers, String(request.body ?? ""))).send();
      } catch (fault) {
        needs.log.error({ err: fault }, "A payment provider's call could not be judged; it will call again");
        return reply.code(503).send();
      } finally {
        underWay -= 1;
      }
    });
    done();
  });
};
