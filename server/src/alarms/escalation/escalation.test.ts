import { TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertClass, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { MessageKind } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../../test/test-contacts.ts";
import { anEscalatingPlant, type EscalatingPlant, toAccount } from "../../test/test-escalating-plant.ts";
import { anAdmin, anOwner } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createEscalation, createSilenceEnds } from "../index.ts";

let server: TestServer;
let plant: EscalatingPlant;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  plant = await anEscalatingPlant(server);
});

describe("a plant's default plan", () => {
  test("notifies plant.owner and admins by mail of an alert that no rule has recipients for, and when it is back to normal", async () => {
    const ada = await anAdmin(server.world, plant.owner);
    const key = await plant.raise();
    await plant.after(0);
    expect(plant.mailsTo(plant.owner)).toEqual(["High: AI1 9.00 bar - Pump house"]);
    expect(plant.mailsTo(ada)).toHaveLength(1);
    await plant.after(60);
    await plant.clear(key);
    await plant.after(0);
    await plant.after(60);
    expect(plant.mailsTo(plant.owner)).toEqual([
      "High: AI1 9.00 bar - Pump house",
      "Back to normal: High: AI1 9.00 bar - Pump house",
    ]);
  });

  test("adds to a rule's own recipients, each address once", async () => {
    const rule = {
      plant_id: plant.owner.plantId,
      alarm_name: "Limits",
      alarm_class: 2,
      device_id: plant.device.deviceId,
    };
    const { alarm_id } = await server.world.db
      .insertInto("alarms")
      .values({ ...rule, created_time: server.world.clock.date() } as never)
      .returning("alarm_id")
      .executeTakeFirstOrThrow();
    const contact_id = await aContact(server.world, plant.owner, { contactInfo: plant.owner.email.toUpperCase() });
    await server.world.db.insertInto("alarm_recipients").values({ alarm_id, contact_id }).execute();
    await plant.raise();
    await plant.after(0);
    expect(plant.sent.map(({ to }) => to.toLowerCase())).toEqual([plant.owner.email]);
  });

  test("notifies of a device event once, and never that an event is over", async () => {
    const at = server.world.clock.now();
    const event = {
      alarmClass: AlertClass.notification,
      alarmType: AlertType.system,
      msg: "Online again",
      value: null,
    };
    await plant.raise({ ...event, clearedAt: at, channelId: undefined });
    await plant.after(0);
    await plant.after(60);
    expect(plant.mailsTo(plant.owner)).toEqual(["Pump house: Online again"]);
  });
});

describe("an escalation", () => {
  test("goes on step by step and repeats until somebody confirms", async () => {
    const [ada, ben] = [await anAdmin(server.world, plant.owner), await anAdmin(server.world, plant.owner)];
    const steps = [
      { after: 0, to: [toAccount(plant.owner)] },
      { after: 10, to: [toAccount(ada)] },
      { after: 30, to: [toAccount(ben), toAccount(plant.owner)] },
    ];
    await plant.plan(steps, { repeat: { every: 15, times: 6 } });
    await plant.raise();
    const told = () => [plant.owner, ada, ben].map((person) => plant.mailsTo(person).length);
    const seen: number[][] = [];
    for (const minutes of [0, 9, 1, 20, 14, 1, 20]) {
      await plant.after(minutes);
      seen.push(told());
    }
    expect(seen).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      // The plant.owner was notified in this round already.
      [1, 1, 1],
      [1, 1, 1],
      [1, 2, 1],
      [2, 2, 2],
    ]);
    expect(plant.mailsTo(ada)[0]).toMatch(/^Not confirmed: High/);
    await server.as(plant.owner)(alerts.confirm, { alarmLogId: await plant.newest() });
    for (let step = 0; step < 10; step++) await plant.after(15);
    expect(told()).toEqual([2, 2, 2]);
  });

  test("after a stop sends the highest due step only", async () => {
    const ada = await anAdmin(server.world, plant.owner);
    await plant.plan([
      { after: 0, to: [toAccount(plant.owner)] },
      { after: 5, to: [toAccount(plant.owner)] },
      { after: 10, to: [toAccount(ada)] },
    ]);
    await plant.raise();
    await plant.after(60);
    expect([plant.mailsTo(plant.owner), plant.mailsTo(ada)]).toEqual([
      [],
      ["Not confirmed: High: AI1 9.00 bar - Pump house"],
    ]);
  });

  test("goes on, and its messages are sent, although the server's clock is set back an hour", async () => {
    const { clock } = server.world;
    const ada = await anAdmin(server.world, plant.owner);
    await plant.plan([
      { after: 0, to: [toAccount(plant.owner)] },
      { after: 10, to: [toAccount(ada)] },
    ]);
    const escalation = createEscalation(plant.needs());
    await plant.raise();
    await escalation.run();
    clock.jump(-3_600_000);
    await escalation.run();
    await plant.after(0);
    expect([plant.mailsTo(plant.owner).length, plant.mailsTo(ada).length]).toEqual([1, 0]);
    await plant.after(10);
    expect([plant.mailsTo(plant.owner).length, plant.mailsTo(ada).length]).toEqual([1, 1]);
    clock.jump(3_600_000);
  });

  test("goes to the next step at once where a roster has a gap, and to who is on call otherwise", async () => {
    const ada = await anAdmin(server.world, plant.owner);
    const { roster_id } = await server.world.db
      .insertInto("rosters")
      .values({
        ...{ plant_id: plant.owner.plantId, roster_name: "Duty electrician", time_zone_id: "UTC", shifts: "[]" },
        created_time: server.world.clock.date(),
      })
      .returning("roster_id")
      .executeTakeFirstOrThrow();
    await plant.plan([
      { after: 0, to: [{ kind: TargetKind.roster, id: roster_id }] },
      { after: 30, to: [toAccount(plant.owner)] },
    ]);
    await plant.raise();
    await plant.after(0);
    expect(plant.mailsTo(plant.owner)).toHaveLength(1);
    const shifts = JSON.stringify([{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 1440, accountId: ada.accountId }]);
    await server.world.db.updateTable("rosters").set({ shifts }).where("roster_id", "=", roster_id).execute();
    await plant.raise();
    await plant.after(0);
    expect([plant.mailsTo(plant.owner).length, plant.mailsTo(ada).length]).toEqual([1, 1]);
  });

  test("that reaches nobody is tried again until it does", async () => {
    await plant.plan([{ after: 0, to: [toAccount({ accountId: plant.owner.accountId })] }]);
    const { db } = server.world;
    const off = (activate: boolean) =>
      db.updateTable("accounts").set({ activate }).where("account_id", "=", plant.owner.accountId).execute();
    await off(false);
    await plant.raise();
    await plant.after(0);
    expect(plant.sent).toEqual([]);
    await off(true);
    await plant.after(5);
    expect(plant.mailsTo(plant.owner)).toHaveLength(1);
  });

  test("begins again when a shelf returns, and is silent while it holds", async () => {
    await plant.raise();
    const alarmLogId = await plant.newest();
    await server.as(plant.owner)(silences.add, {
      alarmLogId,
      kind: SilenceKind.shelf,
      minutes: 30,
      reason: "Cleaning",
    });
    await plant.after(20);
    expect(plant.sent).toEqual([]);
    server.world.clock.pass(11 * 60_000);
    await createSilenceEnds(plant.needs()).run();
    await plant.after(0);
    expect(plant.mailsTo(plant.owner)).toHaveLength(1);
    await server.as(plant.owner)(silences.add, {
      alarmLogId,
      kind: SilenceKind.shelf,
      minutes: 15,
      reason: "Cleaning",
    });
    server.world.clock.pass(16 * 60_000);
    await createSilenceEnds(plant.needs()).run();
    await plant.after(0);
    expect(plant.mailsTo(plant.owner), "a second shelf returns").toHaveLength(2);
  });

  test("goes on without its first step when a shelf is ended by hand", async () => {
    const ada = await anAdmin(server.world, plant.owner);
    await plant.plan([
      { after: 0, to: [toAccount(plant.owner)] },
      { after: 10, to: [toAccount(ada)] },
    ]);
    await plant.raise();
    const alarmLogId = await plant.newest();
    const shelf = { alarmLogId, kind: SilenceKind.shelf, minutes: 60, reason: "Cleaning" };
    const { silenceId } = await server.as(plant.owner)(silences.add, shelf);
    await plant.after(30);
    await server.as(plant.owner)(silences.end, { silenceId });
    await plant.after(0);
    expect(plant.sent).toEqual([]);
    await plant.after(10);
    expect([plant.mailsTo(plant.owner).length, plant.mailsTo(ada).length]).toEqual([0, 1]);
  });

  test("posts to webhooks, and leaves out disabled ones", async () => {
    const ids: number[] = [];
    for (const is_enabled of [true, false]) {
      const { webhook_id } = await server.world.db
        .insertInto("webhooks")
        .values({
          ...{ plant_id: plant.owner.plantId, webhook_name: "Control room", format: 1, url: "https://hooks.example" },
          ...{ is_enabled, secret: Buffer.alloc(32), created_time: server.world.clock.date() },
        } as never)
        .returning("webhook_id")
        .executeTakeFirstOrThrow();
      ids.push(webhook_id);
    }
    await plant.plan([{ after: 0, to: ids.map((id) => ({ kind: TargetKind.webhook, id })) }]);
    await plant.raise();
    await plant.after(0);
    const rows = await server.world.db
      .selectFrom("outbox")
      .select(["kind", "recipient"])
      .where("plant_id", "=", plant.owner.plantId)
      .execute();
    expect(rows).toEqual([{ kind: MessageKind.webhook, recipient: String(ids[0]) }]);
  });

  test("says that the device has reported late only of what it has reported late, not of an alert that waits", async () => {
    const ada = await anAdmin(server.world, plant.owner);
    await plant.plan([plant.owner, ada].map((person, at) => ({ after: 10 * at, to: [toAccount(person)] })));
    const key = await plant.raise();
    for (const minutes of [0, 10]) await plant.after(minutes);
    await plant.clear(key);
    await plant.after(1);
    await plant.raise({ at: server.world.clock.now() - 20 * 60_000 });
    await plant.after(0);
    const late = plant.sent.map(({ text }) => text.includes("has reported this late"));
    expect(late).toEqual([false, false, false, false, true]);
  });

  test("refuses people of other plants, unordered steps, and a second edit of the same version", async () => {
    const stranger = await anOwner(server.world);
    await expect(plant.plan([{ after: 0, to: [toAccount(stranger)] }])).rejects.toMatchObject({ code: 404 });
    const two = [5, 5].map((minutes) => ({ after: minutes, to: [toAccount(plant.owner)] }));
    await expect(plant.plan(two)).rejects.toMatchObject({ code: 422 });
    await expect(plant.plan([{ after: 0, to: [toAccount(plant.owner)] }], { version: 77 })).rejects.toMatchObject({
      code: 409,
    });
  });
});
