import { topics } from "@telltale/contract/device-api";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { ContactType, MessageKind } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEscalation } from "../../alarms/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aContact } from "../../test/test-contacts.ts";
import type { TestDevice } from "../../test/test-devices.ts";
import { anAdmin, aViewer, type Person } from "../../test/test-people.ts";
import { anSmtpServer } from "../../test/test-smtp.ts";
import { createMailSender } from "../channels/mail.ts";
import { smsOf } from "../letters/message.ts";
import { createDelivery } from "./delivery.ts";

/** Device time of the readings: on this day, but more than five minutes ago. */
const start = Date.now() - 3_600_000;
const limits = { AI1: { settings: { zero: 0, span: 100, higherAlarm: 80, higherHysteresis: 5 } } };

let world: DeviceWorld;
let device: TestDevice;
let at = 0;

beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.deleteFrom("outbox").execute();
  device = await world.device({ channels: limits, name: "Pump house" });
});

const plant = () => ({ plantId: world.plantId });

/** An alarm of the device: class 1 on its AI1, otherwise its limits or notifications. */
const aRule = async (alarmClass: number): Promise<number> => {
  const isCustom = alarmClass === AlertClass.custom;
  const { alarm_id } = await world.db
    .insertInto("alarms")
    .values({
      plant_id: world.plantId,
      alarm_name: `Rule of class ${alarmClass}`,
      alarm_class: alarmClass,
      device_id: device.deviceId,
      channel_id: isCustom ? (device.channels.AI1 as number) : null,
      type: isCustom ? AlertType.high : null,
      alarm_value: isCustom ? 90 : null,
      alarm_hysteresis: isCustom ? 1 : null,
      created_time: world.clock.date(),
    } as never)
    .returning("alarm_id")
    .executeTakeFirstOrThrow();
  world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
  return alarm_id;
};
const recipient = async (alarm_id: number, wanted: Parameters<typeof aContact>[2] = {}): Promise<string> => {
  const contact_id = await aContact(world, plant(), wanted);
  await world.db.insertInto("alarm_recipients").values({ alarm_id, contact_id }).execute();
  const contact = world.db.selectFrom("contacts").select("contact_info").where("contact_id", "=", contact_id);
  return (await contact.executeTakeFirstOrThrow()).contact_info;
};
const assign = async (alarm_id: number, { accountId }: Person): Promise<void> => {
  await world.db.insertInto("account_alarms").values({ alarm_id, account_id: accountId }).execute();
};
const reportSince = async (since: number, ...values: number[]): Promise<void> => {
  const client = await world.mqtt(device.accessToken);
  const readings = values.map((AI1) => ({ ts: since + ++at * 1000, values: { AI1 } }));
  await client.publishAsync(topics.telemetry, JSON.stringify(readings), { qos: 1 });
};
const report = (...values: number[]): Promise<void> => reportSince(start, ...values);
const outbox = () => world.db.selectFrom("outbox").selectAll().orderBy("message_id").execute();
const received = async () => (await outbox()).map((message) => message.recipient).toSorted();
const deliveryBy = (url: string) =>
  createDelivery({ ...world, metrics: new Registry(), mail: createMailSender(url, "plant@telltale.test") });

describe("an alert is notified", () => {
  test("from the reading to the mail, once, with all its facts", async () => {
    const smtp = await anSmtpServer();
    const nora = await recipient(await aRule(AlertClass.custom));
    await world.db
      .updateTable("devices")
      .set({ time_zone_id: "Europe/Berlin" })
      .where("device_id", "=", device.deviceId)
      .execute();
    await report(95);
    await report(96);
    const delivery = deliveryBy(smtp.url);
    await delivery.run();
    await delivery.run();
    expect(smtp.received.map(({ to }) => to)).toEqual([[nora]]);
    const text = smtp.received[0]?.text ?? "";
    for (const fact of ["Pump house", "Alert: Rule of class 1", "Type: High", "Value: 95.00", "Threshold: 90.00"])
      expect(text).toContain(fact);
    expect(text).toContain("(Europe/Berlin)");
    expect(text).toContain("The device has reported this late");
    expect(text).toMatch(/https:\/\/telltale\.test\/c\/[\w-]{16}[0-9a-z]+/);
    expect(text).toMatch(/^List-Unsubscribe:\s+<https:\/\/telltale\.test\/contact\?/im);
  });

  test("to verified contacts and to active users with the alarm, each once whatever the ways", async () => {
    const rule = await aRule(AlertClass.custom);
    const [ada, vera, gone] = [
      await anAdmin(world, plant()),
      await aViewer(world, plant()),
      await anAdmin(world, plant()),
    ];
    for (const person of [ada, vera, gone]) await assign(rule, person);
    const removed = { removed_time: world.clock.date() };
    await world.db.updateTable("accounts").set(removed).where("account_id", "=", gone.accountId).execute();
    await world.db.updateTable("accounts").set({ activate: false }).where("account_id", "=", vera.accountId).execute();
    const nora = await recipient(rule);
    const phone = await recipient(rule, { type: ContactType.phone });
    await recipient(rule, { status: ContactStatus.pending });
    await recipient(rule, { status: ContactStatus.refused });
    await recipient(rule, { contactInfo: ada.email.toUpperCase() });
    await report(95);
    expect(await received()).toEqual([ada.email, nora, phone].toSorted());
    const messages = await outbox();
    const sms = messages.find(({ kind }) => kind === MessageKind.sms);
    expect(sms && smsOf(sms, world)).toMatch(/^High: .+ 95\.00.+\(threshold 90\.00.*\), Pump house\. /);
    const toAda = messages.find((message) => message.recipient === ada.email);
    expect(toAda?.body).toMatchObject({ alert: { stopKey: null } });
  });

  test("of a device's own limits to the recipients of its class 2 alarm, and of no other device", async () => {
    const nora = await recipient(await aRule(AlertClass.threshold));
    const other = device;
    device = await world.device({ channels: limits, name: "Booster" });
    await report(85);
    expect(await received()).toEqual([]);
    device = other;
    await report(85);
    expect(await received()).toEqual([nora]);
    expect((await outbox())[0]?.body).toMatchObject({
      alert: { alarmClass: 2, alarmName: "Rule of class 2", value: 85 },
    });
  });

  test("when a device goes offline, comes back and has a low battery, to the recipients of its class 4 alarm", async () => {
    const nora = await recipient(await aRule(AlertClass.notification));
    await report(5);
    await world.db.deleteFrom("outbox").execute();
    world.clock.pass(31 * 60_000);
    await world.telemetry.offlineWatch.run();
    await report(5);
    const client = await world.mqtt(device.accessToken);
    await client.publishAsync(topics.attributes, JSON.stringify({ power: 12 }), { qos: 1 });
    const messages = await outbox();
    expect(messages.map(({ recipient: to }) => to)).toEqual([nora, nora, nora]);
    expect(messages.map(({ body }) => (body as { alert: { msg: string } }).alert.msg)).toEqual([
      "Offline for 30 minutes",
      "Online again",
      "Low battery: 12 %",
    ]);
  });

  test("that begins and ends within one message, once for each time", async () => {
    const nora = await recipient(await aRule(AlertClass.custom));
    await report(95, 50, 95);
    expect(await received(), "the first one was over before it arrived").toEqual([nora]);
    await createEscalation({ ...world, metrics: new Registry() }).run();
    expect((await received()).filter((to) => to === nora)).toEqual([nora, nora]);
  });

  test("of days ago only if it is still open after five minutes", async () => {
    const daysAgo = start - 3 * 86_400_000;
    const nora = await recipient(await aRule(AlertClass.custom));
    await reportSince(daysAgo, 95, 50, 96);
    await report(50, 97);
    await reportSince(daysAgo + 86_400_000, 98);
    const smtp = await anSmtpServer();
    const delivery = deliveryBy(smtp.url);
    await delivery.run();
    expect(
      smtp.received.map(({ to }) => to),
      "news is sent at once",
    ).toEqual([[nora]]);
    expect(smtp.received[0]?.text).toContain("Value: 97.00");
    device = await world.device({ channels: limits, name: "Booster" });
    const vera = await recipient(await aRule(AlertClass.custom));
    await reportSince(daysAgo, 95);
    await delivery.run();
    expect(await received()).toEqual([nora, nora, vera].toSorted());
    world.clock.pass(5 * 60_000);
    await delivery.run();
    expect(smtp.received.map(({ to }) => to)).toEqual([[nora], [vera]]);
    expect(await received()).toEqual([nora, vera].toSorted());
  });

  test("to nobody when there are no recipients", async () => {
    await aRule(AlertClass.custom);
    await report(95);
    expect(await world.alerts(device)).toHaveLength(2);
    expect(await received()).toEqual([]);
  });
});

describe("killed in between", () => {
  test("between alert and message, neither they nor the reading are there; tried again, all of them are, once", async () => {
    const nora = await recipient(await aRule(AlertClass.custom));
    await report(10);
    await world.pool.query("ALTER TABLE outbox RENAME TO outbox_away");
    const { failedBatches } = world.telemetry.writer.stats;
    const sent = report(95);
    await expect.poll(() => world.telemetry.writer.stats.failedBatches).toBeGreaterThan(failedBatches);
    expect(await world.alerts(device)).toEqual([]);
    expect((await world.readings(device, "AI1")).map(({ value }) => value)).toEqual([10]);
    await world.pool.query("ALTER TABLE outbox_away RENAME TO outbox");
    await sent;
    expect(await world.alerts(device)).toHaveLength(2);
    expect(await received()).toEqual([nora]);
  });

  test("between commit and mail server, the next start sends it, once", async () => {
    const nora = await recipient(await aRule(AlertClass.custom));
    await report(95);
    const killed = createDelivery({
      ...world,
      metrics: new Registry(),
      mail: { send: () => new Promise(() => undefined) },
    });
    void killed.run();
    await expect.poll(async () => (await outbox())[0]?.status).toBe("sending");
    world.clock.pass(60_000);
    const smtp = await anSmtpServer();
    await Promise.all([deliveryBy(smtp.url).run(), deliveryBy(smtp.url).run()]);
    expect(smtp.received.map(({ to }) => to)).toEqual([[nora]]);
    expect((await outbox()).map(({ status }) => status)).toEqual(["sent"]);
  });
});
