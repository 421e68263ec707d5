import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { alertLinks } from "@telltale/contract/domains/alerting/links";
import { WebhookFormat, webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { MessageKind } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { raise } from "../../alarms/index.ts";
import { createDelivery } from "../../notify/index.ts";
import { runIn } from "../../platform/database/runner.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner, aSupportView, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let receiver: Server;
let received: { path: string; headers: IncomingHttpHeaders; text: string }[] = [];
let answers: number[] = [];

beforeAll(async () => {
  server = await startTestServer({ privateWebhooks: true });
  receiver = createServer(async (request, response) => {
    const text = (await request.setEncoding("utf8").toArray()).join("");
    received.push({ path: request.url ?? "", headers: request.headers, text });
    response.writeHead(answers.shift() ?? 200, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(async () => {
  receiver.close();
  await server.close();
});
beforeEach(() => {
  received = [];
  answers = [];
});
afterEach(() => server.world.db.deleteFrom("outbox").execute());

const address = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
const refusal = (code: number, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

const aRule = async (owner: Person) => {
  const { db, clock } = server.world;
  const { deviceId, channels } = await aDevice(server.world, owner, { name: "Sump station" });
  const channelId = Number(channels.AI1);
  const rule = { alarm_name: "Well high", alarm_class: AlertClass.custom, type: AlertType.high, response: "Rake it" };
  const place = { plant_id: owner.plantId, device_id: deviceId, channel_id: channelId, created_time: clock.date() };
  const { alarm_id: alarmId } = await db
    .insertInto("alarms")
    .values({ ...rule, ...place, alarm_value: 70, alarm_hysteresis: 1 })
    .returning("alarm_id")
    .executeTakeFirstOrThrow();
  const alert = {
    ...{ plantId: owner.plantId, deviceId, channelId, alarmId, alarmClass: AlertClass.custom },
    ...{ alarmType: AlertType.high, value: 75, unit: "bar", threshold: 70 },
  };
  const raiseAlert = () => {
    const now = clock.now();
    return raise(runIn(db), [{ ...alert, at: now, key: `${alarmId} ${now}` }], now);
  };
  return { alarmId, raiseAlert };
};

const fields = (url: string, alarmIds: number[], format: WebhookFormat = WebhookFormat.standard) => ({
  ...{ webhookName: "Control room", format, url, enabled: 1 as const, mayConfirm: 0 as const, alarmIds },
});

const aWebhook = async (path: string, format?: WebhookFormat) => {
  const owner = await anOwner(server.world);
  const { alarmId, raiseAlert } = await aRule(owner);
  const as = server.as(owner);
  const { webhookId, secret } = await as(webhooks.add, fields(address(path), [alarmId], format));
  const row = async () => (await as(webhooks.list, {})).data.find((each) => each.webhookId === webhookId);
  return { owner, as, alarmId, raiseAlert, webhookId, secret, row };
};

const run = (privateWebhooks = true) =>
  createDelivery({ ...server.world, metrics: new Registry(), privateWebhooks }).run();

const signed = (secret: string, { headers, text }: (typeof received)[number]): string => {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
};
/** After a jump of the clock. */
const keepSignedIn = () =>
  server.world.db.updateTable("sign_ins").set({ used_time: server.world.clock.date() }).execute();
const webhookMessages = () =>
  server.world.db.selectFrom("outbox").selectAll().where("kind", "=", MessageKind.webhook).execute();

/** Raises this many alerts at once and delivers until the flood's summaries have been written. */
const flood = async (raiseAlert: () => Promise<unknown>, count: number) => {
  for (let n = 0; n < count; n++, server.world.clock.pass(1)) await raiseAlert();
  await run();
  server.world.clock.pass(16 * 60_000);
  await run();
  await run();
};

describe("a webhook", () => {
  test("gets each alert of a flood exactly once, one by one or in a summary", async () => {
    const { raiseAlert } = await aWebhook("/hook");
    await flood(raiseAlert, 60);
    const bodies = received.map(({ text }) => JSON.parse(text));
    const told = bodies.flatMap(({ data }) => data.alerts ?? [data.alert]).map(({ alertId }) => alertId);
    expect(bodies.map(({ type }) => type)).toContain("alert.summary");
    expect([new Set(told).size, told.length]).toEqual([60, 60]);
  });

  const chats = [WebhookFormat.slack, WebhookFormat.ntfy, WebhookFormat.teams];
  test.each(chats)("in format %s a summary names the newest alerts and counts the others", async (format) => {
    const { raiseAlert } = await aWebhook("/topic", format);
    await flood(raiseAlert, 100);
    const texts = received.map(({ text }) => text);
    const summary = texts.find((text) => text.includes("since the last one")) ?? "";
    const left = Number(/(\d+) earlier ones are in the alert log/.exec(summary)?.[1]);
    expect(left).toBeLessThan(75);
    expect(summary.split("Sump station").length - 1 + left + texts.filter((text) => text !== summary).length).toBe(100);
  });

  test("gets its rules' alerts, signed by its secret, with the alert's facts and a link of its own", async () => {
    const { raiseAlert, secret, row } = await aWebhook("/hook?a=1");
    await raiseAlert();
    await run();
    await run();
    expect(received).toHaveLength(1);
    const [request] = received as [(typeof received)[number]];
    expect(request.path).toBe("/hook?a=1");
    expect(request.headers["webhook-signature"]).toBe(signed(secret, request));
    const body = JSON.parse(request.text);
    expect(body).toMatchObject({
      type: "alert.raised",
      data: { alert: { rule: "Well high", device: "Sump station", value: 75, unit: "bar", whatToDo: "Rake it" } },
    });
    expect(await row()).toMatchObject({ failingSince: null, acceptedTime: server.world.clock.date() });
    const shown = await server.as()(alertLinks.info, { link: new URL(body.data.url).pathname.slice("/c/".length) });
    expect(shown).toMatchObject({ recipient: { name: "Control room" }, mayConfirm: false });
  });

  test("that fails is tried again with the same id, shows since when, and is not redirected", async () => {
    const { raiseAlert, row } = await aWebhook("/flaky");
    answers = [500, 302, 200];
    await raiseAlert();
    const began = server.world.clock.date();
    await run();
    expect(await row()).toMatchObject({ failingSince: began, fault: expect.stringContaining("500") });
    server.world.clock.pass(60_000);
    await run();
    expect(await row()).toMatchObject({ failingSince: began, fault: expect.stringContaining("redirect") });
    server.world.clock.pass(60_000);
    await run();
    expect(received.map(({ path }) => path)).toEqual(["/flaky", "/flaky", "/flaky"]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await row()).toMatchObject({ failingSince: null, fault: "" });
  });

  test("that has failed for two days is given up, and stays marked", async () => {
    const { raiseAlert, row } = await aWebhook("/down");
    await raiseAlert();
    answers = [503, 503];
    await run();
    expect(await webhookMessages()).toMatchObject([{ status: "waiting" }]);
    server.world.clock.pass(49 * 3_600_000);
    await keepSignedIn();
    await run();
    expect(await webhookMessages()).toMatchObject([{ status: "failed", fault: expect.stringContaining("503") }]);
    expect((await row())?.failingSince).not.toBeNull();
  });

  test("at a private address is refused unless the operator allows these, also by a name", async () => {
    const { raiseAlert, as, row, webhookId, alarmId } = await aWebhook("/inside");
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const url = address("/inside").replace("127.0.0.1", host).replace("http:", "https:");
      await as(webhooks.update, { webhookId, ...fields(url, [alarmId]) });
      await raiseAlert();
      await run(false);
      server.world.clock.pass(1000);
      expect(await row()).toMatchObject({ fault: expect.stringContaining("private network") });
    }
    expect(received).toEqual([]);
    const messages = await webhookMessages();
    expect(messages.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
  });

  test("is tested at once, and the reason of a refusal is told", async () => {
    const { as, webhookId, secret } = await aWebhook("/try");
    await as(webhooks.test, { webhookId });
    expect(JSON.parse(received[0]?.text ?? "{}")).toMatchObject({ type: "webhook.test" });
    expect(received[0]?.headers["webhook-signature"]).toBe(received[0] && signed(secret, received[0]));
    answers = [404];
    await expect(as(webhooks.test, { webhookId })).rejects.toEqual(refusal(409, "answered 404"));
  });

  test("has one secret, told once; after it was replaced, the one before signs, too, for a day", async () => {
    const { as, webhookId, secret, row } = await aWebhook("/signed");
    expect(JSON.stringify(await row())).not.toContain("whsec_");
    const { secret: next } = await as(webhooks.rotate, { webhookId });
    await as(webhooks.test, { webhookId });
    const [both] = received as [(typeof received)[number]];
    expect(both.headers["webhook-signature"]).toBe(`${signed(next, both)} ${signed(secret, both)}`);
    server.world.clock.pass(24 * 3_600_000);
    await keepSignedIn();
    await as(webhooks.test, { webhookId });
    const alone = received[1] as (typeof received)[number];
    expect(alone.headers["webhook-signature"]).toBe(signed(next, alone));
  });

  test("ends the links of its earlier messages with another address or secret", async () => {
    const { as, webhookId, alarmId, raiseAlert } = await aWebhook("/left");
    const newLink = async (): Promise<string> => {
      server.world.clock.pass(1000);
      await raiseAlert();
      await run();
      return new URL(JSON.parse(received.at(-1)?.text ?? "{}").data.url).pathname.slice("/c/".length);
    };
    const shown = (link: string) => server.as()(alertLinks.info, { link });
    const first = await newLink();
    await as(webhooks.update, { webhookId, ...fields(address("/left"), [alarmId]), webhookName: "Renamed" });
    expect(await shown(first)).toMatchObject({ recipient: { name: "Renamed" } });
    server.world.clock.pass(1000);
    await as(webhooks.update, { webhookId, ...fields(address("/moved"), [alarmId]) });
    await expect(shown(first)).rejects.toEqual(refusal(422, "no longer valid"));
    const second = await newLink();
    expect(await shown(second)).toMatchObject({ recipient: { name: "Control room" } });
    server.world.clock.pass(1000);
    await as(webhooks.rotate, { webhookId });
    await expect(shown(second)).rejects.toEqual(refusal(422, "no longer valid"));
    expect(await shown(await newLink())).toMatchObject({ recipient: { name: "Control room" } });
  });

  test("shows support no more of its address than the origin, and nobody in the timeline where it cannot be reached", async () => {
    const { as, owner, webhookId, alarmId, raiseAlert } = await aWebhook("/services/T0/secret-token");
    const seen = (await server.as(await aSupportView(server.world, owner))(webhooks.list, {})).data;
    expect(seen.map(({ url }) => url)).toEqual([new URL(address("/")).origin]);
    await as(webhooks.update, { webhookId, ...fields("http://127.0.0.1:1/closed", [alarmId]) });
    await raiseAlert();
    await run();
    const [message] = await webhookMessages();
    expect(message?.fault).toBe("ECONNREFUSED");
  });

  test("is changed with a version, audited without its address, and deleted with what waits for it", async () => {
    const { as, webhookId, alarmId, raiseAlert } = await aWebhook("/secret-path");
    const change = { webhookId, ...fields(address("/secret-path"), [alarmId]), webhookName: "ntfy", version: 1 };
    await as(webhooks.update, { ...change, enabled: 0 });
    await expect(as(webhooks.update, change)).rejects.toEqual(refusal(409, "in the meantime"));
    const { alarmId: foreign } = await aRule(await anOwner(server.world));
    await expect(as(webhooks.update, { ...change, version: 2, alarmIds: [foreign] })).rejects.toEqual(refusal(404, ""));
    await raiseAlert();
    expect(await webhookMessages(), "it is switched off").toEqual([]);
    await as(webhooks.update, { ...change, version: 2 });
    server.world.clock.pass(1000);
    await raiseAlert();
    await as(webhooks.remove, { webhookId });
    await run();
    expect(await webhookMessages()).toMatchObject([{ status: "failed", fault: expect.stringContaining("deleted") }]);
    const log = (await as(audit.list, {})).data;
    expect(log.map(({ action }) => action)).toEqual(["webhook.delete", "webhook.edit", "webhook.edit", "webhook.add"]);
    expect(JSON.stringify(log)).not.toContain("secret-path");
  });
});

describe("a format", () => {
  const bodyOf = async (format: WebhookFormat, path: string) => {
    const { raiseAlert } = await aWebhook(path, format);
    await raiseAlert();
    await run();
    return { path: received.at(-1)?.path, body: JSON.parse(received.at(-1)?.text ?? "{}") };
  };

  test("of Slack is a text with a link", async () => {
    const { body } = await bodyOf(WebhookFormat.slack, "/slack");
    expect(body.text).toMatch(
      /^\*High: .+ 75\.00 bar - Sump station\*\n[\s\S]+Rake it\n<https:\/\/telltale\.test\/c\/.+\|Open the alert>$/,
    );
  });

  test("of Teams is an adaptive card", async () => {
    const { body } = await bodyOf(WebhookFormat.teams, "/teams");
    const [{ contentType, content }] = body.attachments;
    expect([body.type, contentType]).toEqual(["message", "application/vnd.microsoft.card.adaptive"]);
    expect(content).toMatchObject({
      type: "AdaptiveCard",
      actions: [{ type: "Action.OpenUrl", title: "Open the alert" }],
    });
  });

  test("of ntfy goes to its root with topic, priority and link", async () => {
    const { path, body } = await bodyOf(WebhookFormat.ntfy, "/control-room");
    expect(path).toBe("/");
    expect(body).toMatchObject({ topic: "control-room", priority: 4, actions: [{ action: "view" }] });
    expect(body.message).toContain("Rake it");
    expect((await bodyOf(WebhookFormat.ntfy, "/100%")).body).toMatchObject({ topic: "100%" });
  });
});
