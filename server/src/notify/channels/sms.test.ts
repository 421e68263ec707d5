import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MessageKind } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { createDelivery } from "../outbox/delivery.ts";
import { queueText } from "../outbox/outbox.ts";
import { createSmsSender, smsAccountOf } from "./sms.ts";

let world: TestWorld;
let count = 0;

beforeAll(async () => {
  world = await createTestWorld();
});
afterAll(() => world.close());

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const answerWith =
  (status: number, body: object = { sid: "SM1" }): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

interface Posted {
  path: string;
  authorization: string;
  fields: Record<string, string>;
}

/** Starts a stand-in for the provider on loopback: gives its answers in order, the last one forever, and records whole requests. */
const aProvider = async (...answers: Answer[]) => {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("error", () => undefined);
    request.on("end", () => {
      const fields = Object.fromEntries(new URLSearchParams(body));
      posted.push({ path: request.url ?? "", authorization: request.headers.authorization ?? "", fields });
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? answerWith(201);
      answer(response, request);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  const account = smsAccountOf(`twilio://AC123:to%2Fken@127.0.0.1:${port}?from=+15550100`);
  if (!account) throw new Error("The address is not right");
  return { posted, account, stop };
};

const unwanted: string[] = [];
const deliveryBy = (account: Parameters<typeof createSmsSender>[0] | undefined, timeout?: number) =>
  createDelivery({
    ...world,
    metrics: new Registry(),
    sms: account && createSmsSender(account, timeout),
    onUnwanted: async (recipient) => void unwanted.push(recipient),
  });
const anSms = async (): Promise<string> => {
  const recipient = `1202555${2000 + ++count}`;
  await queueText(world.db, {
    kind: MessageKind.sms,
    recipient,
    text: "High: 4.2 m & more",
    now: world.clock.date(),
    plantId: 1,
  });
  return recipient;
};
const stateOf = (recipient: string) =>
  world.db.selectFrom("outbox").selectAll().where("recipient", "=", recipient).executeTakeFirstOrThrow();

describe("an SMS in the outbox", () => {
  test("is posted once, as the provider documents it, and its text is forgotten then", async () => {
    const { posted, account } = await aProvider();
    const recipient = await anSms();
    await Promise.all([deliveryBy(account).run(), deliveryBy(account).run()]);
    await deliveryBy(account).run();
    expect(posted).toEqual([
      {
        path: "/2010-04-01/Accounts/AC123/Messages.json",
        authorization: `Basic ${Buffer.from("AC123:to/ken").toString("base64")}`,
        fields: { To: `+${recipient}`, From: "+15550100", Body: "High: 4.2 m & more" },
      },
    ]);
    expect(await stateOf(recipient)).toMatchObject({ status: "sent", kind: MessageKind.sms, body: {} });
  });

  test("is kept when no mail server is configured", async () => {
    const recipient = await anSms();
    await deliveryBy(undefined).run();
    expect(await stateOf(recipient)).toMatchObject({ status: "kept", body: { text: "High: 4.2 m & more" } });
  });

  test("waits while the provider is away, and while it wants no more just now", async () => {
    const { posted, account, stop } = await aProvider();
    await stop();
    const recipient = await anSms();
    await deliveryBy(account).run();
    expect(posted).toEqual([]);
    expect(await stateOf(recipient)).toMatchObject({ status: "waiting", tries: 1, handed_over: false });
    const back = await aProvider(answerWith(429, { code: 20429 }), answerWith(503), answerWith(201));
    for (const wait of [5_000, 10_000, 20_000]) {
      world.clock.pass(wait);
      await deliveryBy(back.account).run();
    }
    expect(back.posted).toHaveLength(3);
    expect(await stateOf(recipient)).toMatchObject({ status: "sent", tries: 4 });
  });

  test("that the provider refuses is not retried, and keeps its answer", async () => {
    const { account } = await aProvider(answerWith(400, { code: 21211, message: "Invalid 'To' Phone Number" }));
    const recipient = await anSms();
    await deliveryBy(account).run();
    const { status, fault } = await stateOf(recipient);
    expect(status).toBe("failed");
    expect(fault).toContain("400, 21211: Invalid 'To' Phone Number");
    expect(unwanted).toEqual([]);
  });

  test("to a phone whose owner has replied STOP tells so", async () => {
    const { account } = await aProvider(answerWith(400, { code: 21610, message: "unsubscribed recipient" }));
    const recipient = await anSms();
    await deliveryBy(account).run();
    expect(unwanted).toEqual([recipient]);
  });

  test.each([
    ["breaks with a fault of its own", answerWith(500)],
    ["is lost behind a proxy", answerWith(502)],
    ["hangs up", (response: ServerResponse) => void response.destroy()],
    ["never answers", () => undefined],
  ])("is not sent again when the provider, having it, %s", async (_what, answer) => {
    const { posted, account } = await aProvider(answer);
    const recipient = await anSms();
    await deliveryBy(account, 300).run();
    expect(posted).toHaveLength(1);
    const state = await stateOf(recipient);
    expect(state).toMatchObject({ status: "failed", handed_over: true });
    expect(state.fault).toContain("Unknown whether it arrived");
    world.clock.pass(86_400_000);
    const next = await aProvider();
    await deliveryBy(next.account).run();
    expect(next.posted).toEqual([]);
  });

  test("can't reach the provider whole before the outbox says so", async () => {
    const { posted, account } = await aProvider();
    const dying = createSmsSender(account).send({
      recipient: "12025550100",
      text: "High",
      onHandOver: () => Promise.reject(new Error("killed")),
    });
    await expect(dying).rejects.toThrow("killed");
    expect(posted).toEqual([]);
  });
});

describe("an SMS account's address", () => {
  test.each([
    ["twilio://AC1:t@api.twilio.com?from=+15550100", "https://api.twilio.com", "+15550100"],
    ["twilio://AC1:t@api.twilio.com?from=%2B15550100", "https://api.twilio.com", "+15550100"],
    ["twilio://AC1:t@api.twilio.com?from=15550100", "https://api.twilio.com", "+15550100"],
    ["twilio://AC1:t@localhost:9000?from=TELLTALE", "http://localhost:9000", "TELLTALE"],
  ])("%s", (text, origin, from) => {
    expect(smsAccountOf(text)).toEqual({ accountSid: "AC1", authToken: "t", origin, from });
  });

  test.each([
    "twilio://AC1@api.twilio.com?from=+1555",
    "twilio://AC1:t@api.twilio.com",
    "https://AC1:t@host?from=1",
    "x",
  ])("%s is none", (text) => {
    expect(smsAccountOf(text)).toBeUndefined();
  });
});
