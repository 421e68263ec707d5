import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertEventKind, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alertLinks } from "@telltale/contract/domains/alerting/links";
import { AlertStatus, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { MessageKind } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ruleKey } from "../../alarms/index.ts";
import { anAlert } from "../../test/test-alerts.ts";
import { aContact } from "../../test/test-contacts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { aLink } from "../../test/test-links.ts";
import { anAdmin, anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const day = 86_400_000;
const refusal = (code: number, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });
const visitor = () => server.as();

const aPlant = async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner, { name: "Sump station" });
  const channelId = Number(device.channels.AI1);
  const alert = () =>
    anAlert(server.world, owner, { deviceId: device.deviceId, channelId, value: 3.4, threshold: 3.2 });
  return { owner, device, channelId, alert };
};

const linkTo = (owner: Person, alertId: number, recipient: string, kind?: MessageKind) =>
  aLink(server.world, owner, alertId, recipient, kind);

const statusOf = async (owner: Person, alarmLogId: number) =>
  (await server.as(owner)(alertEntries.info, { alarmLogId })).status;

const aContactOf = async (owner: Person, mayConfirm: 0 | 1, name = "Sora") => {
  const contactInfo = `${name.toLowerCase()}.${owner.plantId}@example.test`;
  const notifyUserId = await aContact(server.world, owner, { name, contactInfo });
  await server.as(owner)(contacts.update, { notifyUserId, firstName: name, lastName: "Imai", mayConfirm });
  return { notifyUserId, contactInfo };
};

describe("the link of a user's message", () => {
  test("shows the alert, however often it is opened, and confirms it once by the button", async () => {
    const { owner, alert } = await aPlant();
    const alarmLogId = await alert();
    const link = await linkTo(owner, alarmLogId, owner.email.toUpperCase());
    for (const _scanner of [1, 2, 3]) {
      const shown = await visitor()(alertLinks.info, { link });
      expect(shown).toMatchObject({
        alert: { alarmLogId, status: AlertStatus.triggered, deviceName: "Sump station", value: 3.4 },
        plantName: `Plant of ${owner.email}`,
        recipient: { name: "Olga Tester", by: MessageKind.mail },
        mayConfirm: true,
        untilTime: new Date(server.world.clock.now() + 7 * day),
      });
      expect(shown.alert).not.toHaveProperty("deviceSnId");
    }
    await visitor()(alertLinks.confirm, { link, note: "On my way" });
    expect(await server.as(owner)(alertEntries.info, { alarmLogId })).toMatchObject({
      status: AlertStatus.confirmed,
      acceptName: "Olga Tester",
      timeline: expect.arrayContaining([
        expect.objectContaining({ kind: AlertEventKind.confirmed, by: "Olga Tester" }),
        expect.objectContaining({ kind: AlertEventKind.note, by: "Olga Tester", note: "On my way" }),
      ]),
    });
    await expect(visitor()(alertLinks.confirm, { link, note: "again" })).rejects.toEqual(refusal(409, "already"));
    expect((await visitor()(alertLinks.info, { link })).alert.acceptName).toBe("Olga Tester");
    const { timeline } = await server.as(owner)(alertEntries.info, { alarmLogId });
    expect(timeline.filter(({ kind }) => kind === AlertEventKind.note)).toHaveLength(1);
  });

  test("says how the alert's values are meant: of its channel, or as a rate of change", async () => {
    const { owner, alert } = await aPlant();
    const alarmLogId = await alert();
    const link = await linkTo(owner, alarmLogId, owner.email);
    const shown = async () => (await visitor()(alertLinks.info, { link })).alert;
    expect(await shown()).toMatchObject({ isRate: false, isSwitch: false });
    const rule_key = ruleKey.custom(1, 2, AlertType.high, AlarmCondition.rate);
    await server.world.db.updateTable("alerts").set({ rule_key }).where("alert_id", "=", alarmLogId).execute();
    expect(await shown()).toMatchObject({ isRate: true });
  });

  test("confirms by nothing but the POST: a scanner may GET, HEAD and OPTIONS every address", async () => {
    const { owner, alert } = await aPlant();
    const alarmLogId = await alert();
    const link = await linkTo(owner, alarmLogId, owner.email);
    for (const method of ["GET", "HEAD", "OPTIONS"] as const)
      for (const path of [`/c/${link}`, `/c/${link}/`, alertLinks.info.path, alertLinks.confirm.path])
        await server.app.inject({ method, url: `${path}?link=${link}&note=scanned` });
    expect(await statusOf(owner, alarmLogId)).toBe(AlertStatus.triggered);
  });

  test("of two that press at once, one confirms", async () => {
    const { owner, alert } = await aPlant();
    const other = await anAdmin(server.world, owner);
    const alarmLogId = await alert();
    const links = [await linkTo(owner, alarmLogId, owner.email), await linkTo(owner, alarmLogId, other.email)];
    const tried = await Promise.allSettled(links.map((link) => visitor()(alertLinks.confirm, { link })));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("ends with the account, and with its sight of the device", async () => {
    const { owner, alert, channelId } = await aPlant();
    const elsewhere = await aDashboard(server.world, owner, { channels: [] });
    const dashboardId = await aDashboard(server.world, owner, { channels: [channelId] });
    const viewer = await aViewer(server.world, owner, dashboardId);
    const alarmLogId = await alert();
    const link = await linkTo(owner, alarmLogId, viewer.email);
    expect((await visitor()(alertLinks.info, { link })).mayConfirm).toBe(true);
    const accounts = () => server.world.db.updateTable("accounts").where("account_id", "=", viewer.accountId);
    await accounts().set({ dashboard_id: elsewhere }).execute();
    await expect(visitor()(alertLinks.confirm, { link })).rejects.toEqual(refusal(422, "may no longer see it"));
    await accounts().set({ dashboard_id: dashboardId, activate: false }).execute();
    await expect(visitor()(alertLinks.confirm, { link })).rejects.toEqual(refusal(422, "no longer gets alerts"));
    await accounts().set({ activate: true, removed_time: server.world.clock.date() }).execute();
    await expect(visitor()(alertLinks.info, { link })).rejects.toEqual(refusal(422, "no longer gets alerts"));
    expect(await statusOf(owner, alarmLogId)).toBe(AlertStatus.triggered);
  });
});

describe("the link of a contact's message", () => {
  test("shows the alert, and confirms it only for one that may; log, timeline and audit log name the contact", async () => {
    const { owner, alert } = await aPlant();
    const { notifyUserId, contactInfo } = await aContactOf(owner, 0);
    const alarmLogId = await alert();
    const link = await linkTo(owner, alarmLogId, contactInfo);
    expect(await visitor()(alertLinks.info, { link })).toMatchObject({ mayConfirm: false });
    await expect(visitor()(alertLinks.confirm, { link })).rejects.toEqual(refusal(403, "Sora Imai may see"));
    expect(await statusOf(owner, alarmLogId)).toBe(AlertStatus.triggered);
    const named = { firstName: "Sora", lastName: "Imai" };
    await server.as(owner)(contacts.update, { notifyUserId, ...named, mayConfirm: 1 });
    await visitor()(alertLinks.confirm, { link, note: "Pump 2 runs" });
    await server.as(owner)(contacts.remove, { notifyUserId });
    const { data } = await server.as(owner)(alerts.log, {});
    expect(data).toMatchObject([{ alarmLogId, status: AlertStatus.confirmed, acceptName: "Sora Imai" }]);
    const idsConfirmedBy = async (email: string) =>
      (await server.as(owner)(alerts.log, { email })).data.map((row) => row.alarmLogId);
    expect(await idsConfirmedBy("sora im"), "found by who confirmed it").toEqual([alarmLogId]);
    expect(await idsConfirmedBy("sora%im")).toEqual([]);
    const own = await alert();
    await server.as(owner)(alerts.confirm, { alarmLogId: own });
    expect(await idsConfirmedBy(owner.email)).toEqual([own]);
    const { timeline } = await server.as(owner)(alertEntries.info, { alarmLogId });
    expect(timeline).toContainEqual(expect.objectContaining({ kind: AlertEventKind.confirmed, by: "Sora Imai" }));
    expect(timeline).toContainEqual(expect.objectContaining({ note: "Pump 2 runs", by: "Sora Imai" }));
    const log = (await server.as(owner)(audit.list, {})).data;
    const confirmed = log.find(({ action, isContact }) => action === "alert.confirm" && isContact);
    expect(confirmed).toMatchObject({ target: "Sora Imai, by Mail", isContact: true });
    await expect(visitor()(alertLinks.info, { link })).rejects.toEqual(refusal(422, "no longer gets alerts"));
  });

  test("by SMS is its phone's", async () => {
    const { owner, alert } = await aPlant();
    const phone = "12025550199";
    await aContact(server.world, owner, { type: MessageKind.sms, contactInfo: phone });
    const link = await linkTo(owner, await alert(), phone, MessageKind.sms);
    expect(await visitor()(alertLinks.info, { link })).toMatchObject({
      recipient: { name: "Nora Tester", by: MessageKind.sms },
      mayConfirm: false,
    });
  });
});

describe("a link does not work", () => {
  test("forged, for another entry or recipient, or of a mail about something else", async () => {
    const { owner, alert } = await aPlant();
    const other = await anAdmin(server.world, owner);
    const [first, second] = [
      await linkTo(owner, await alert(), owner.email),
      await linkTo(owner, await alert(), other.email),
    ];
    const swapped = `${first.slice(0, 16)}${second.slice(16)}`;
    const flipped = `${first[0] === "A" ? "B" : "A"}${first.slice(1)}`;
    for (const link of [
      swapped,
      flipped,
      first.slice(0, 16),
      `${first.slice(0, 16)}zzzzzzzzzz`,
      "x",
      "%00",
      `${first}.`,
    ])
      await expect(visitor()(alertLinks.info, { link })).rejects.toEqual(refusal(422, "not valid"));
    await expect(visitor()(alertLinks.info, { link: "" })).rejects.toEqual(refusal(422, "incomplete"));
  });

  test("after seven days, after the alert has cleared, and when the device is deleted", async () => {
    const { owner, alert, device } = await aPlant();
    const alarmLogId = await alert();
    const link = await linkTo(owner, alarmLogId, owner.email);
    const later = await linkTo(owner, await alert(), owner.email);
    server.world.clock.pass(7 * day - 1000);
    expect((await visitor()(alertLinks.info, { link })).mayConfirm).toBe(true);
    const cleared = { status: AlertStatus.cleared, cleared_time: server.world.clock.date() };
    await server.world.db.updateTable("alerts").set(cleared).where("alert_id", "=", alarmLogId).execute();
    await expect(visitor()(alertLinks.confirm, { link })).rejects.toEqual(refusal(409, "cleared"));
    const gone = { device_id: device.deviceId, plant_id: owner.plantId, deleted_time: server.world.clock.date() };
    await server.world.db.insertInto("deleted_devices").values(gone).execute();
    await expect(visitor()(alertLinks.info, { link: later })).rejects.toEqual(refusal(422, "no longer exists"));
    server.world.clock.pass(1000);
    await expect(visitor()(alertLinks.confirm, { link: later })).rejects.toEqual(refusal(422, "expired"));
  });

  test("once its secret is another one: that of a restored backup", async () => {
    const { owner, alert } = await aPlant();
    const alarmLogId = await alert();
    const before = await linkTo(owner, alarmLogId, owner.email);
    const secrets = server.world.db.updateTable("shared_secrets").where("name", "=", "alert links");
    const [kept] = await server.world.db.selectFrom("shared_secrets").selectAll().execute();
    await secrets.set({ value: Buffer.alloc(32, 1) }).execute();
    await expect(visitor()(alertLinks.info, { link: before })).rejects.toEqual(refusal(422, "not valid"));
    await secrets.set({ value: kept?.value ?? Buffer.alloc(0) }).execute();
    expect((await visitor()(alertLinks.info, { link: before })).alert.alarmLogId).toBe(alarmLogId);
  });
});

describe("tries", () => {
  test("of wrong links are limited by network, and of one link by its uses; wrong ones block no right one of the same network", async () => {
    const { owner, alert } = await aPlant();
    const link = await linkTo(owner, await alert(), owner.email);
    server.world.clock.pass(600_000);
    const wrong = `AAAAAAAAAAAAAAAA${link.slice(16)}`;
    const ask = async (text: string, remoteAddress: string) =>
      (await server.app.inject({ url: `${alertLinks.info.path}?link=${text}`, remoteAddress })).json().code;
    for (let tries = 0; tries < 20; tries++) expect(await ask(wrong, "198.51.100.7")).toBe(422);
    expect(await ask(wrong, "198.51.100.7")).toBe(429);
    expect(await ask(link, "198.51.100.7"), "somebody else's, behind the same address").toBe(0);
    expect(await ask(wrong, "198.51.100.7")).toBe(429);
    server.world.clock.pass(600_000);
    for (let uses = 0; uses < 60; uses++) expect(await ask(link, "203.0.113.9")).toBe(0);
    expect(await ask(link, "203.0.113.9")).toBe(429);
    server.world.clock.pass(600_000);
    expect(await ask(wrong, "198.51.100.7")).toBe(422);
  });
});
