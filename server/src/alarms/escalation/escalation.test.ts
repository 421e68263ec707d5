import { plans, type Step, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertClass, AlertPriority, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { ContactType } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDelivery } from "../../notify/index.ts";
import { aContact } from "../../test/test-contacts.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anAdmin, anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { clear, createEscalation, createSilenceEnds, raise } from "../index.ts";

let server: TestServer;
let owner: Person;
let device: TestDevice;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await anOwner(server.world);
  device = await aDevice(server.world, owner, { name: "Pump house" });
  sent = [];
});

/** Mails as they are sent. */
let sent: { to: string; text: string }[] = [];
const needs = () => ({ ...server.world, metrics: new Registry() });
const deliver = () =>
  createDelivery({
    ...needs(),
    mail: {
      send: async ({ recipient, subject, letter, onHandOver }) => {
        await onHandOver();
        sent.push({ to: recipient, text: [subject, ...letter.paragraphs, ...(letter.facts ?? []).flat()].join("\n") });
      },
    },
  }).run();
/** Lets time pass, and does what is due then: the plans' steps, and the sending. */
const after = async (minutes: number): Promise<void> => {
  server.world.clock.pass(minutes * 60_000);
  await Promise.all([createEscalation(needs()).run(), createEscalation(needs()).run()]);
  await deliver();
};
const mailsTo = ({ email }: { email: string }) =>
  sent.filter(({ to }) => to === email).map(({ text }) => text.split("\n")[0]);

/** Raises an alert of a channel; returns its key. */
const anAlert = async (more: object = {}): Promise<string> => {
  const at = server.world.clock.now();
  const key = `2:escalation:${++count}`;
  const alert = {
    ...{ plantId: owner.plantId, deviceId: device.deviceId, channelId: Number(device.channels.AI1), key, at },
    ...{ alarmClass: AlertClass.threshold, alarmType: AlertType.high, value: 9, unit: "bar", threshold: 8 },
    ...more,
  };
  await raise(server.world.pool, [alert], at);
  return key;
};
const newest = async (): Promise<number> =>
  (await server.as(owner)(alerts.log)).data.map(({ alarmLogId }) => alarmLogId)[0] as number;
const end = (key: string) => clear(server.world.pool, [{ key, at: server.world.clock.now() }]);
const aPlan = async (steps: Step[], more: object = {}): Promise<void> => {
  const [found] = await server.as(owner)(plans.list);
  if (!found) throw new Error("A plant has a default plan");
  const { planId, version } = found;
  const fields = { planName: "Pump station", steps, repeat: null, backToNormal: true, backToNormalBySms: false };
  await server.as(owner)(plans.update, { planId, version, ...fields, ...more });
};
const account = ({ accountId: id }: Person) => ({ kind: TargetKind.account, id });

describe("a plant's default plan", () => {
  test("notifies owner and admins by mail of an alert that no rule has recipients for, and when it is back to normal", async () => {
    const ada = await anAdmin(server.world, owner);
    const key = await anAlert();
    await after(0);
    expect(mailsTo(owner)).toEqual(["High: AI1 9.00 bar - Pump house"]);
    expect(mailsTo(ada)).toHaveLength(1);
    await after(60);
    await end(key);
    await after(0);
    await after(60);
    expect(mailsTo(owner)).toEqual([
      "High: AI1 9.00 bar - Pump house",
      "Back to normal: High: AI1 9.00 bar - Pump house",
    ]);
  });

  test("adds to a rule's own recipients, each address once", async () => {
    const rule = { plant_id: owner.plantId, alarm_name: "Limits", alarm_class: 2, device_id: device.deviceId };
    const { alarm_id } = await server.world.db
      .insertInto("alarms")
      .values({ ...rule, created_time: server.world.clock.date() } as never)
      .returning("alarm_id")
      .executeTakeFirstOrThrow();
    const contact_id = await aContact(server.world, owner, { contactInfo: owner.email.toUpperCase() });
    await server.world.db.insertInto("alarm_recipients").values({ alarm_id, contact_id }).execute();
    await anAlert();
    await after(0);
    expect(sent.map(({ to }) => to.toLowerCase())).toEqual([owner.email]);
  });

  test("notifies of a device event once, and never that an event is over", async () => {
    const at = server.world.clock.now();
    const event = {
      alarmClass: AlertClass.notification,
      alarmType: AlertType.system,
      msg: "Online again",
      value: null,
    };
    await anAlert({ ...event, clearedAt: at, channelId: undefined });
    await after(0);
    await after(60);
    expect(mailsTo(owner)).toEqual(["Pump house: Online again"]);
  });
});

describe("an escalation", () => {
  test("goes on step by step and repeats until somebody confirms", async () => {
    const [ada, ben] = [await anAdmin(server.world, owner), await anAdmin(server.world, owner)];
    const steps = [
      { after: 0, to: [account(owner)] },
      { after: 10, to: [account(ada)] },
      { after: 30, to: [account(ben), account(owner)] },
    ];
    await aPlan(steps, { repeat: { every: 15, times: 6 } });
    await anAlert();
    const told = () => [owner, ada, ben].map((person) => mailsTo(person).length);
    const seen: number[][] = [];
    for (const minutes of [0, 9, 1, 20, 14, 1, 20]) {
      await after(minutes);
      seen.push(told());
    }
    expect(seen).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      // The owner was notified in this round already.
      [1, 1, 1],
      [1, 1, 1],
      [1, 2, 1],
      [2, 2, 2],
    ]);
    expect(mailsTo(ada)[0]).toMatch(/^Not confirmed: High/);
    await server.as(owner)(alerts.confirm, { alarmLogId: await newest() });
    for (let step = 0; step < 10; step++) await after(15);
    expect(told()).toEqual([2, 2, 2]);
  });

  test("after a stop sends the highest due step only", async () => {
    const ada = await anAdmin(server.world, owner);
    await aPlan([
      { after: 0, to: [account(owner)] },
      { after: 5, to: [account(owner)] },
      { after: 10, to: [account(ada)] },
    ]);
    await anAlert();
    await after(60);
    expect([mailsTo(owner), mailsTo(ada)]).toEqual([[], ["Not confirmed: High: AI1 9.00 bar - Pump house"]]);
  });

  test("goes to the next step at once where a roster has a gap, and to who is on call otherwise", async () => {
    const ada = await anAdmin(server.world, owner);
    const { roster_id } = await server.world.db
      .insertInto("rosters")
      .values({
        ...{ plant_id: owner.plantId, roster_name: "Duty electrician", time_zone_id: "UTC", shifts: "[]" },
        created_time: server.world.clock.date(),
      })
      .returning("roster_id")
      .executeTakeFirstOrThrow();
    await aPlan([
      { after: 0, to: [{ kind: TargetKind.roster, id: roster_id }] },
      { after: 30, to: [account(owner)] },
    ]);
    await anAlert();
    await after(0);
    expect(mailsTo(owner)).toHaveLength(1);
    const shifts = JSON.stringify([{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 1440, accountId: ada.accountId }]);
    await server.world.db.updateTable("rosters").set({ shifts }).where("roster_id", "=", roster_id).execute();
    await anAlert();
    await after(0);
    expect([mailsTo(owner).length, mailsTo(ada).length]).toEqual([1, 1]);
  });

  test("begins again when a shelf returns, and is silent while it holds", async () => {
    await anAlert();
    const alarmLogId = await newest();
    await server.as(owner)(silences.add, { alarmLogId, kind: SilenceKind.shelf, minutes: 30, reason: "Cleaning" });
    await after(20);
    expect(sent).toEqual([]);
    server.world.clock.pass(11 * 60_000);
    await createSilenceEnds(needs()).run();
    await after(0);
    expect(mailsTo(owner)).toHaveLength(1);
    await server.as(owner)(silences.add, { alarmLogId, kind: SilenceKind.shelf, minutes: 15, reason: "Cleaning" });
    server.world.clock.pass(16 * 60_000);
    await createSilenceEnds(needs()).run();
    await after(0);
    expect(mailsTo(owner), "a second shelf returns").toHaveLength(2);
  });

  test("goes on without its first step when a shelf is ended by hand", async () => {
    const ada = await anAdmin(server.world, owner);
    await aPlan([
      { after: 0, to: [account(owner)] },
      { after: 10, to: [account(ada)] },
    ]);
    await anAlert();
    const alarmLogId = await newest();
    const shelf = { alarmLogId, kind: SilenceKind.shelf, minutes: 60, reason: "Cleaning" };
    const { silenceId } = await server.as(owner)(silences.add, shelf);
    await after(30);
    await server.as(owner)(silences.end, { silenceId });
    await after(0);
    expect(sent).toEqual([]);
    await after(10);
    expect([mailsTo(owner).length, mailsTo(ada).length]).toEqual([0, 1]);
  });

  test("sends at most 6 SMS about an alert to one phone", async () => {
    const id = await aContact(server.world, owner, { type: ContactType.phone });
    await aPlan([{ after: 0, to: [{ kind: TargetKind.contact, id }] }], { repeat: { every: 5, times: 12 } });
    await anAlert();
    for (let step = 0; step < 14; step++) await after(5);
    const rows = await server.world.db
      .selectFrom("outbox")
      .select("message_id")
      .where("plant_id", "=", owner.plantId)
      .execute();
    expect(rows).toHaveLength(6);
  });

  test("refuses people of other plants, unordered steps, and a second edit of the same version", async () => {
    const stranger = await anOwner(server.world);
    await expect(aPlan([{ after: 0, to: [account(stranger)] }])).rejects.toMatchObject({ code: 404 });
    const two = [5, 5].map((minutes) => ({ after: minutes, to: [account(owner)] }));
    await expect(aPlan(two)).rejects.toMatchObject({ code: 422 });
    await expect(aPlan([{ after: 0, to: [account(owner)] }], { version: 77 })).rejects.toMatchObject({ code: 409 });
  });
});

describe("quiet hours", () => {
  test("hold what is not urgent, and end with one summary of what still stands", async () => {
    const now = server.world.clock.date();
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
    const hours = { from: (minute + 1439) % 1440, to: (minute + 120) % 1440, timeZoneId: "UTC" };
    await server.as(owner)(profile.update, { quietHours: hours });
    expect((await server.as(owner)(accounts.info)).quietHours).toEqual(hours);
    await aPlan([{ after: 0, to: [account(owner)] }], { backToNormal: false });
    const over = await anAlert({ value: 1 });
    for (const value of [2, 3]) await anAlert({ value });
    await after(0);
    await anAlert({ value: 4 });
    const urgent = { priority: AlertPriority.high };
    await server.world.db
      .updateTable("alerts")
      .set(urgent)
      .where("alert_id", "=", await newest())
      .execute();
    await after(1);
    expect(mailsTo(owner)).toEqual(["High: AI1 4.00 bar - Pump house"]);
    await end(over);
    await after(121);
    await after(60);
    expect(sent).toHaveLength(2);
    const text = sent[1]?.text ?? "";
    expect(text).toContain("2 alerts were raised in your quiet hours and still stand");
    for (const [value, isListed] of [
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ] as const)
      expect(text.includes(`AI1 ${value}.00 bar`), String(value)).toBe(isListed);
    await server.as(owner)(profile.update, { quietHours: null });
    await anAlert({ value: 5 });
    await after(0);
    expect(mailsTo(owner).at(-1)).toBe("High: AI1 5.00 bar - Pump house");
  });
});

describe("a flood", () => {
  test("of a thousand alerts is a few mails and summaries that list each alert exactly once", async () => {
    await aPlan([{ after: 0, to: [account(owner)] }], { backToNormal: false });
    for (let n = 0; n < 1000; n++) await anAlert({ value: 1000 + n });
    for (let minutes = 0; minutes <= 60; minutes += 5) await after(5);
    expect(sent.length).toBeLessThan(15);
    const all = sent.map(({ text }) => text).join("\n");
    const seen = Array.from({ length: 1000 }, (_, n) => all.split(`High: AI1 ${1000 + n}.00 bar`).length - 1);
    expect(new Set(seen)).toEqual(new Set([1]));
    await anAlert({ value: 7 });
    await after(1);
    expect(mailsTo(owner).at(-1), "calm again").toBe("High: AI1 7.00 bar - Pump house");
  });

  test("does not hold urgent alerts until there are more than 20", async () => {
    await aPlan([{ after: 0, to: [account(owner)] }]);
    const { world } = server;
    for (let n = 0; n < 25; n++) await anAlert({ value: n });
    await world.db
      .updateTable("alerts")
      .set({ priority: AlertPriority.high })
      .where("plant_id", "=", owner.plantId)
      .execute();
    await after(0);
    expect(sent).toHaveLength(20);
    await after(15);
    expect(mailsTo(owner).at(-1)).toMatch(/^5 alerts in /);
  });

  test("of a backlog, whose occurrences were over already, is one summary", async () => {
    const at = server.world.clock.now() - 3_600_000;
    for (let n = 0; n < 30; n++) await anAlert({ at: at + n * 1000, clearedAt: at + n * 1000 + 500, value: n });
    await after(0);
    await after(1);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text).toContain("30 alerts came and went before the server learned of them");
    const alone = await anAlert({ at, clearedAt: at + 500, value: 77 });
    expect(alone).not.toBe("");
    await after(0);
    await after(1);
    expect(mailsTo(owner).at(-1)).toBe("High: AI1 77.00 bar - Pump house");
  });
});
