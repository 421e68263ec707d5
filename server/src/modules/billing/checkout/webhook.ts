import type { FastifyInstance } from "fastify";
import { anyOrderByPayment } from "../orders/queries.ts";
import { reconcile } from "../orders/reconcile-job.ts";
import type { BillingWorld } from "../payments/payments.ts";

/** Largest event, bytes; PayPal's have a few thousand. */
const bodyLimit = 64 * 1024;
/** Most concurrent webhook calls: each queries the provider, and the route is public. */
const atOnce = 5;

type Needs = Pick<BillingWorld, "db" | "clock" | "log" | "payments">;

/** Settles the order of a verified event. The event's content is not trusted: the provider is asked for the payment's state. */
const settleOrder = async (needs: Needs, paymentId: string | undefined): Promise<void> => {
  const order = paymentId === undefined ? undefined : await anyOrderByPayment(needs.db, paymentId);
  if (order) await reconcile(needs, order);
};

/**
 * Serves `POST /api/paypal/webhook`, which the payment provider calls when a payment was approved or captured. Answers by HTTP status, as the
 * provider expects: 200, 400 for a call without its signature, 503 to be called again later.
 */
export const servePaymentWebhook = async (app: FastifyInstance, needs: Needs): Promise<void> => {
  let inProgress = 0;
  const evaluate = async (headers: Record<string, string | string[] | undefined>, body: string): Promise<number> => {
    const event = await needs.payments.readWebhook({ headers, body });
    if (!event) return 400;
    await settleOrder(needs, event.paymentId);
    return 200;
  };
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit }, (_request, body, done) => done(null, body));
    scope.post("/api/paypal/webhook", async (request, reply) => {
      if (inProgress >= atOnce) return reply.code(503).send();
      inProgress += 1;
      try {
        return await reply.code(await evaluate(request.headers, String(request.body ?? ""))).send();
      } catch (fault) {
        needs.log.error(
          { err: fault },
          "Could not handle a payment provider's webhook call; answered 503, so that the provider calls again",
        );
        return reply.code(503).send();
      } finally {
        inProgress -= 1;
      }
    });
    done();
  });
};
