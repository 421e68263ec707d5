import { createPublicKey, verify } from "node:crypto";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alertLinks } from "@telltale/contract/domains/alerting/links";
import { silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { AlertPriority } from "@telltale/contract/domains/alerts";
import { profile } from "@telltale/contract/domains/people/profile";
import { push } from "@telltale/contract/domains/people/push";
import { MessageKind } from "@telltale/contract/notification-channels";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createEscalation } from "../../alarms/index.ts";
import { anEscalatingPlant } from "../../test/test-escalating-plant.ts";
import { type Pushing, startPushing } from "../../test/test-push.ts";

let pushing: Pushing;
beforeAll(async () => {
  pushing = await startPushing();
});
afterAll(() => pushing.close());
afterEach(() => pushing.reset());

describe("a subscribed browser", () => {
  test("gets its user's alerts beside the mail: what to do first, with the user's own link, which confirms", async () => {
    const { owner, as, browser, raiseAlert } = await pushing.aSubscriber(AlertPriority.high);
    const alarmLogId = await raiseAlert();
    await pushing.run();
    await pushing.run();
    const [notice, ...others] = browser.notices();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      title: "P1 Wet well high, 3.42 m",
      body: expect.stringMatching(/^Look at the inlet screens; rake them\. Sump station, limit 3\.20 m\./),
      consoleUrl: `${pushing.server.world.publicUrl}/alarms/detail?alarmLogId=${alarmLogId}`,
      isUrgent: true,
    });
    const kinds = pushing.server.world.db.selectFrom("outbox").select("kind").where("alert_id", "=", alarmLogId);
    expect((await kinds.orderBy("kind").execute()).map(({ kind }) => kind)).toEqual([
      MessageKind.mail,
      MessageKind.push,
    ]);
    const link = new URL(notice.url).pathname.slice("/c/".length);
    const visitor = pushing.server.as();
    expect(await visitor(alertLinks.info, { link })).toMatchObject({ mayConfirm: true, alert: { alarmLogId } });
    await visitor(alertLinks.confirm, { link });
    const { status, timeline } = await as(alertEntries.info, { alarmLogId });
    expect(status).toBe(2);
    const deliveries = timeline.flatMap((event) => event.deliveries).filter(({ by }) => by === MessageKind.push);
    expect(deliveries).toMatchObject([{ status: "sent", fault: "" }]);
    expect(deliveries[0]?.to, "of the user, not of the browser").toContain("Olga");
    expect((await pushing.server.as(owner)(push.list)).browsers).toMatchObject([
      { sentTime: pushing.server.world.clock.date() },
    ]);
  });

  test("is encrypted for the browser alone, and signed by the key that browsers subscribe with", async () => {
    const { as, raiseAlert } = await pushing.aSubscriber(AlertPriority.high);
    await raiseAlert();
    await pushing.run();
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = pushing.received;
    expect(body.includes("Wet well")).toBe(false);
    expect(body.length).toBeLessThan(3_000);
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", ttl: "43200" });
    const { publicKey } = await as(push.list);
    const [, token = "", key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(String(headers.authorization)) ?? [];
    expect(key).toBe(publicKey);
    const point = Buffer.from(publicKey, "base64url");
    const jwk = {
      ...{ kty: "EC", crv: "P-256" },
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    };
    const [head, claims, signature = ""] = token.split(".");
    const signer = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" as const };
    const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, "base64url"));
    expect(isSigned).toBe(true);
    expect(JSON.parse(Buffer.from(claims ?? "", "base64url").toString())).toMatchObject({ aud: pushing.address });
  });

  test("gets the alerts of a plan that notifies its user, and that they are back to normal", async () => {
    const plant = await anEscalatingPlant(pushing.server);
    const browser = pushing.aBrowser();
    await pushing.server.as(plant.owner)(push.subscribe, browser.input);
    const key = await plant.raise();
    await createEscalation(plant.needs()).run();
    await pushing.run();
    expect(browser.notices()).toMatchObject([
      { title: "P2 AI1, 9.00 bar", body: expect.stringContaining("limit 8.00 bar") },
    ]);
    pushing.server.world.clock.pass(18 * 60_000);
    await plant.clear(key);
    await createEscalation(plant.needs()).run();
    await pushing.run();
    expect(browser.notices()[1]).toMatchObject({
      title: "Back to normal: AI1",
      body: expect.stringMatching(/^Stood for 18 min\. Pump house/),
    });
  });

  test("that is gone is removed, and is no failed delivery", async () => {
    const { as, raiseAlert } = await pushing.aSubscriber();
    pushing.answers.push(410);
    await raiseAlert();
    await pushing.run();
    expect((await as(push.list)).browsers).toEqual([]);
    expect(await pushing.pushes()).toMatchObject([
      { status: "failed", fault: expect.stringContaining("takes no pushes") },
    ]);
    expect((await as(silentNow.list)).failed).toEqual([]);
    await raiseAlert();
    await pushing.run();
    expect(pushing.received).toHaveLength(1);
  });

  test("is tried again while its push service is away, and says why it was not delivered", async () => {
    const { as, raiseAlert } = await pushing.aSubscriber();
    pushing.answers.push(503, 429, 201);
    const alarmLogId = await raiseAlert();
    await pushing.run();
    expect(await pushing.pushes()).toMatchObject([{ status: "waiting", fault: expect.stringContaining("503") }]);
    for (const _ of [1, 2]) {
      pushing.server.world.clock.pass(60_000);
      await pushing.run();
    }
    const { timeline } = await as(alertEntries.info, { alarmLogId });
    expect(timeline.flatMap(({ deliveries }) => deliveries).find(({ by }) => by === MessageKind.push)).toMatchObject({
      status: "sent",
    });
    expect(pushing.received).toHaveLength(3);
  });

  test("holds what is not urgent in its user's quiet hours, and gets one summary afterwards", async () => {
    const { as, browser, raiseAlert } = await pushing.aSubscriber();
    const now = pushing.server.world.clock.date();
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
    const quietHours = { from: (minute + 1_380) % 1_440, to: (minute + 60) % 1_440, timeZoneId: "UTC" };
    await as(profile.update, { quietHours });
    await raiseAlert();
    pushing.server.world.clock.pass(1_000);
    await raiseAlert();
    await pushing.run();
    expect(browser.notices()).toEqual([]);
    pushing.server.world.clock.pass(61 * 60_000);
    await pushing.run();
    expect(browser.notices()).toMatchObject([{ title: expect.stringContaining("2 alerts"), tag: "summary" }]);
  });
});
