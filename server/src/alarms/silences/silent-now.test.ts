import { TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { MessageKind } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aContact } from "../../test/test-contacts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { aPlan, aRoster } from "../../test/test-escalation.ts";
import { anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let device: TestDevice;
let other: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await anOwner(server.world);
  device = await aDevice(server.world, owner, { name: "Compressor A" });
  other = await aDevice(server.world, owner, { name: "Dispatch bay" });
});

const now = () => server.world.clock.date();
const listed = (by: Person = owner) => server.as(by)(silentNow.list);

const aRule = async (alarm_name: string, more: object = {}, contact?: number) => {
  const { db } = server.world;
  const place = { plant_id: owner.plantId, device_id: device.deviceId, channel_id: device.channels.AI1 };
  const limit = { type: 1, alarm_value: 70, alarm_hysteresis: 1 };
  const rule = { alarm_name, alarm_class: AlertClass.custom, ...limit, created_time: now(), ...place, ...more };
  const added = db
    .insertInto("alarms")
    .values(rule as never)
    .returning("alarm_id");
  const { alarm_id } = await added.executeTakeFirstOrThrow();
  if (contact) await db.insertInto("alarm_recipients").values({ alarm_id, contact_id: contact }).execute();
  return alarm_id;
};

const aMessage = async (recipient: string, status: "failed" | "sent", fault = "") => {
  const alert_id = await anAlert(server.world, owner, { deviceId: device.deviceId });
  const message = { plant_id: owner.plantId, alert_id, kind: MessageKind.mail, recipient, subject: "", body: "{}" };
  const times = { next_time: now(), created_time: now() };
  await server.world.db
    .insertInto("outbox")
    .values({ ...message, ...times, status, fault } as never)
    .execute();
  server.world.clock.pass(1000);
};

/** Makes the plant's default plan one that notifies nobody. */
const noPlan = async (): Promise<void> => {
  const steps = JSON.stringify([{ after: 0, to: [{ kind: TargetKind.account, id: 0 }] }]);
  await server.world.db.updateTable("plans").set({ steps }).where("plant_id", "=", owner.plantId).execute();
};

test("nothing notifies nobody while the plant's plan reaches somebody", async () => {
  await aRule("Untold");
  expect(await listed()).toMatchObject({ nobody: [], devicesOfNobody: { total: 0 }, counts: { notifyNobody: 0 } });
  await noPlan();
  expect((await listed()).nobody.map(({ alarmName }) => alarmName)).toEqual(["Untold"]);
});

test("disabled rules and rules that notify nobody are listed, and none that reaches somebody", async () => {
  const contact = await aContact(server.world, owner, {});
  const pending = await aContact(server.world, owner, { status: 0 });
  await noPlan();
  await aRule("Told", {}, contact);
  await aRule("Untold");
  await aRule("Waits for a contact", {}, pending);
  await aRule("Off", { is_enabled: false }, contact);
  const { rulesOff, nobody, counts, devicesOfNobody } = await listed();
  expect(rulesOff.map(({ alarmName }) => alarmName)).toEqual(["Off"]);
  expect(nobody.map(({ alarmName }) => alarmName)).toEqual(["Untold", "Waits for a contact"]);
  expect(devicesOfNobody).toEqual({ total: 2, names: ["Compressor A", "Dispatch bay"] });
  expect(counts).toMatchObject({ rulesOff: 1, notifyNobody: 3, escalationGaps: 1, total: 5 });
  await aRule(
    "Events",
    { alarm_class: AlertClass.notification, channel_id: null, type: null, alarm_value: null, alarm_hysteresis: null },
    contact,
  );
  expect((await listed()).devicesOfNobody).toEqual({ total: 1, names: ["Dispatch bay"] });
  expect(await server.as(owner)(silentNow.counts)).toEqual((await listed()).counts);
});

test("a rule is listed whose channel is switched off, so that it raises nothing", async () => {
  await aRule("Of a channel that is off");
  const channelId = Number(device.channels.AI1);
  await server.as(owner)(channelSettings.modifyBasic, { channelId, channelSwitch: 0 });
  expect((await listed()).rulesOff).toMatchObject([{ alarmName: "Of a channel that is off", isChannelOff: true }]);
});

test("a roster with nobody on call and a plan without anyone are listed while alerts follow them, with when somebody is on call again", async () => {
  const { world } = server;
  const minutes = Math.floor((now().getTime() % 86_400_000) / 60_000);
  const begins = (minutes + 120) % 1440;
  const shift = { days: [1, 2, 3, 4, 5, 6, 7], from: begins, to: (begins + 60) % 1440, accountId: owner.accountId };
  const id = await aRoster(world, owner, [shift]);
  const plan = async (to: object[]): Promise<void> => {
    const steps = JSON.stringify([{ after: 0, to }]);
    await world.db.updateTable("plans").set({ steps }).where("plant_id", "=", owner.plantId).execute();
  };
  expect((await listed()).rosterGaps, "no plan notifies it").toEqual([]);
  const roster = { kind: TargetKind.roster, id };
  await plan([roster, { kind: TargetKind.managers, id: 0 }]);
  const until = new Date((Math.floor(now().getTime() / 60_000) + 120) * 60_000);
  expect(await listed()).toMatchObject({
    rosterGaps: [{ rosterId: id, rosterName: "Duty electrician", until }],
    plansOfNobody: [],
    counts: { escalationGaps: 1 },
  });
  await plan([roster]);
  await aPlan(world, owner);
  expect(await listed()).toMatchObject({
    plansOfNobody: [{ planName: "Plant default", isDefault: true }],
    counts: { escalationGaps: 2 },
  });
  server.world.clock.pass(121 * 60_000);
  expect(await listed()).toMatchObject({ rosterGaps: [], plansOfNobody: [], counts: { escalationGaps: 0 } });
});

test("devices with payment due and disabled ones are listed", async () => {
  const { db } = server.world;
  const ended = new Date(now().getTime() - 86_400_000);
  await db
    .updateTable("devices")
    .set({ expire_time: ended, last_seen_time: ended })
    .where("device_id", "=", device.deviceId)
    .execute();
  await db.updateTable("devices").set({ is_disabled: true }).where("device_id", "=", other.deviceId).execute();
  const { paymentDue, devicesOff, counts } = await listed();
  expect(paymentDue).toMatchObject([{ deviceName: "Compressor A", expireTime: ended }]);
  expect(devicesOff).toMatchObject([{ deviceName: "Dispatch bay" }]);
  expect(counts).toMatchObject({ paymentDue: 1, devicesOff: 1 });
});

test("failed deliveries are listed by address until one arrives there", async () => {
  for (const contactInfo of ["night@example.test", "day@example.test"])
    await aContact(server.world, owner, { contactInfo });
  await aMessage("night@example.test", "failed", "550 No such user");
  await aMessage("night@example.test", "failed", "550 Mailbox full");
  await aMessage("day@example.test", "failed", "550 No such user");
  await aMessage("day@example.test", "sent");
  const { failed, counts } = await listed();
  expect(failed).toMatchObject([{ recipient: "night@example.test", messages: 2, fault: "550 Mailbox full" }]);
  expect(counts.failedDeliveries).toBe(1);
  await aMessage("night@example.test", "sent");
  expect((await listed()).failed).toEqual([]);
});

test("failed deliveries to people who are no longer notified are left out: strangers, removed contacts", async () => {
  const stranger = await anOwner(server.world);
  const contactInfo = "left@example.test";
  const contact = await aContact(server.world, owner, { contactInfo });
  for (const address of [stranger.email, owner.email, contactInfo])
    await aMessage(address, "failed", "550 No such user");
  const failed = async () => (await listed()).failed.map(({ recipient, name }) => [recipient, name]);
  expect(await failed()).toEqual([
    [contactInfo, "Nora Tester"],
    [owner.email, "Olga Tester"],
  ]);
  await server.as(owner)(contacts.remove, { notifyUserId: contact });
  expect(await failed()).toEqual([[owner.email, "Olga Tester"]]);
});

test("a webhook whose messages were given up is listed by its name, until it is switched off", async () => {
  const { db } = server.world;
  const hook = { plant_id: owner.plantId, webhook_name: "Control room", format: 1, url: "https://hooks.example" };
  const added = db
    .insertInto("webhooks")
    .values({ ...hook, secret: Buffer.alloc(32), created_time: now() } as never)
    .returning("webhook_id");
  const { webhook_id } = await added.executeTakeFirstOrThrow();
  await aMessage(String(webhook_id), "failed", "The webhook answered 503");
  await db.updateTable("outbox").set({ kind: MessageKind.webhook }).where("plant_id", "=", owner.plantId).execute();
  expect((await listed()).failed).toMatchObject([{ name: "Control room", fault: "The webhook answered 503" }]);
  await db.updateTable("webhooks").set({ is_enabled: false }).where("webhook_id", "=", webhook_id).execute();
  expect((await listed()).failed).toEqual([]);
});

test("a summary of alerts that was given up counts as a failed delivery", async () => {
  const row = { plant_id: owner.plantId, kind: MessageKind.mail, recipient: owner.email, subject: "12 alerts" };
  const summary = {
    ...row,
    body: JSON.stringify({ digest: {} }),
    status: "failed" as const,
    fault: "550 Mailbox full",
  };
  await server.world.db
    .insertInto("outbox")
    .values({ ...summary, next_time: now(), created_time: now() })
    .execute();
  expect((await listed()).failed).toMatchObject([{ recipient: owner.email, messages: 1, fault: "550 Mailbox full" }]);
});

test("a viewer sees its devices' and no addresses; a stranger nothing of it", async () => {
  await noPlan();
  await aRule("Untold");
  await aRule("Untold elsewhere", { device_id: other.deviceId, channel_id: other.channels.AI1 });
  await aMessage("night@example.test", "failed", "550 No such user");
  const dashboardId = await aDashboard(server.world, owner, { channels: [Number(device.channels.AI1)] });
  const { nobody, failed, devicesOfNobody } = await listed(await aViewer(server.world, owner, dashboardId));
  expect(nobody).toMatchObject([{ alarmName: "Untold", alarmId: null }]);
  expect(failed).toEqual([]);
  expect(devicesOfNobody.names).toEqual(["Compressor A"]);
  const foreign = await listed(await anOwner(server.world));
  expect(foreign.counts.total).toBe(0);
});

test("of silences the first 100 of each kind are listed, and all maintenance windows; the counts count all", async () => {
  const { deviceId } = device;
  const [created_time, end_time] = [now(), new Date(now().getTime() + 3_600_000)];
  const rows = Array.from({ length: 101 }, (_, each) => [
    { kind: SilenceKind.shelf, rule_key: `noisy ${deviceId} ${each}`, device_id: deviceId },
    { kind: SilenceKind.maintenance, rule_key: null, device_id: deviceId },
  ]).flat();
  const of = { plant_id: owner.plantId, alarm_name: "Noisy", reason: "Work", created_by: owner.accountId };
  await server.world.db
    .insertInto("silences")
    .values(rows.map((row) => ({ ...of, ...row, priority: 2 as const, created_time, end_time })))
    .execute();
  const { silences, counts } = await listed();
  expect(counts).toMatchObject({ shelved: 101, maintenance: 101, total: 202 });
  const kinds = Map.groupBy(silences, ({ kind }) => kind);
  expect([kinds.get(SilenceKind.shelf)?.length, kinds.get(SilenceKind.maintenance)?.length]).toEqual([100, 101]);
});
