import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PaypalAccount } from "../modules/billing/payments/paypal-client.ts";

interface HeldOrder {
  id: string;
  status: "CREATED" | "APPROVED" | "COMPLETED" | "VOIDED";
  value: string;
  orderSn: string;
  returnUrl: string;
  payerId?: string;
  capture?: { id: string; status: "COMPLETED" | "PENDING" | "DECLINED" };
}

/**
 * A fault of the stand-in at the next call whose path contains `at`: answers a status, hangs up, or never answers; before or after doing the work.
 */
export interface Misbehaviour {
  at: string;
  by: number | "hanging up" | "silence";
  after?: boolean;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
};

const answer = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const shown = (order: HeldOrder) => ({
  id: order.id,
  status: order.status,
  ...(order.payerId ? { payer: { payer_id: order.payerId } } : {}),
  purchase_units: [
    {
      custom_id: order.orderSn,
      amount: { currency_code: "USD", value: order.value },
      ...(order.capture ? { payments: { captures: [order.capture] } } : {}),
    },
  ],
  links: [{ rel: "payer-action", method: "GET", href: `https://paypal.test/checkoutnow?token=${order.id}` }],
});

interface Answered {
  status: number;
  body: object;
}

/** The stand-in's state: orders, idempotent by PayPal-Request-Id, and the verification of webhooks. */
const createBooks = () => {
  const orders = new Map<string, HeldOrder>();
  const byRequest = new Map<string, string>();
  const books = {
    orders,
    captures: 0,
    isBrief: false,
    captureStatus: "COMPLETED" as "COMPLETED" | "PENDING" | "DECLINED",
  };

  const create = (key: string, body: string): HeldOrder => {
    const known = orders.get(byRequest.get(key) ?? "");
    if (known) return known;
    const requested = JSON.parse(body);
    const unit = requested.purchase_units[0];
    const id = `PP${randomBytes(6).toString("hex").toUpperCase()}`;
    const returnUrl = requested.payment_source.paypal.experience_context.return_url;
    const order: HeldOrder = { id, status: "CREATED", value: unit.amount.value, orderSn: unit.custom_id, returnUrl };
    orders.set(id, order);
    byRequest.set(key, id);
    return order;
  };

  const capture = (key: string, order: HeldOrder): Answered => {
    if (order.status !== "APPROVED" && !byRequest.has(key))
      return { status: 422, body: { name: "UNPROCESSABLE_ENTITY", details: [{ issue: "ORDER_NOT_APPROVED" }] } };
    if (order.status === "APPROVED") {
      books.captures += 1;
      order.status = "COMPLETED";
      order.capture = { id: `CAP-${order.id}`, status: books.captureStatus };
      byRequest.set(key, order.id);
    }
    return { status: 201, body: books.isBrief ? { id: order.id, status: order.status } : shown(order) };
  };

  const evaluate = (path: string, key: string, body: string): Answered => {
    if (path === "/v1/oauth2/token")
      return { status: 200, body: { access_token: "A", token_type: "Bearer", expires_in: 32_400 } };
    if (path === "/v1/notifications/verify-webhook-signature") {
      const isRight = JSON.parse(body).transmission_sig === "genuine";
      return { status: 200, body: { verification_status: isRight ? "SUCCESS" : "FAILURE" } };
    }
    if (path === "/v2/checkout/orders") return { status: 201, body: shown(create(key, body)) };
    const [, id = "", isCapture] = /^\/v2\/checkout\/orders\/([^/]+)(\/capture)?$/.exec(path) ?? [];
    const order = orders.get(id);
    if (!order) return { status: 404, body: { name: "RESOURCE_NOT_FOUND" } };
    return isCapture ? capture(key, order) : { status: 200, body: shown(order) };
  };
  return { books, evaluate };
};

/** Starts a stand-in for PayPal on loopback. */
export const createTestPaypal = async () => {
  const { books, evaluate } = createBooks();
  const misbehaviours: Misbehaviour[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    const key = String(request.headers["paypal-request-id"]);
    const body = await bodyOf(request);
    const at = misbehaviours.findIndex((each) => path.includes(each.at));
    const [bad] = at < 0 ? [] : misbehaviours.splice(at, 1);
    const { status, body: result } = bad && !bad.after ? { status: 0, body: {} } : evaluate(path, key, body);
    if (!bad) answer(response, status, result);
    else if (typeof bad.by === "number") answer(response, bad.by, { name: "INTERNAL_SERVICE_ERROR" });
    else if (bad.by === "hanging up") response.destroy();
  };

  const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account: PaypalAccount = { clientId: "client", secret: "secret", origin, webhookId: "WH1" };
  return {
    account,
    orders: books.orders,
    /** Number of captures. */
    captures: () => books.captures,
    misbehave: (how: Misbehaviour) => void misbehaviours.push(how),
    /** Removes all faults. */
    behave: () => void misbehaviours.splice(0),
    /** Captures are only listed when the order is queried, as PayPal does without `Prefer`. */
    beBrief: () => {
      books.isBrief = true;
    },
    settleCapturesAs: (status: typeof books.captureStatus) => {
      books.captureStatus = status;
    },
    /** Approves as the buyer; returns the payer. */
    approve: (id: string): string => {
      const order = books.orders.get(id);
      if (!order) throw new Error(`There is no order ${id}`);
      order.status = "APPROVED";
      order.payerId = `PAYER-${id}`;
      return order.payerId;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type TestPaypal = Awaited<ReturnType<typeof createTestPaypal>>;
