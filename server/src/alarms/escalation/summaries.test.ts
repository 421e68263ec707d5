import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { AlertPriority } from "@telltale/contract/domains/alerts";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDelivery } from "../../notify/index.ts";
import { anEscalatingPlant, type EscalatingPlant, toAccount } from "../../test/test-escalating-plant.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createEscalation } from "../index.ts";

let server: TestServer;
let plant: EscalatingPlant;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  plant = await anEscalatingPlant(server);
});

/** Quiet hours of the owner, from and until so many minutes from now. */
const quiet = async (from: number, to: number) => {
  const now = server.world.clock.date();
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
  const hours = { from: (minute + 1440 + from) % 1440, to: (minute + to) % 1440, timeZoneId: "UTC" };
  await server.as(plant.owner)(profile.update, { quietHours: hours });
  return hours;
};

describe("quiet hours", () => {
  test("hold what is not urgent, and end with one summary of what still stands", async () => {
    const hours = await quiet(-1, 120);
    expect((await server.as(plant.owner)(accounts.info)).quietHours).toEqual(hours);
    await plant.plan([{ after: 0, to: [toAccount(plant.owner)] }], { backToNormal: false });
    const over = await plant.raise({ value: 1 });
    for (const value of [2, 3]) await plant.raise({ value });
    await plant.after(0);
    await plant.raise({ value: 4 });
    const urgent = { priority: AlertPriority.high };
    await server.world.db
      .updateTable("alerts")
      .set(urgent)
      .where("alert_id", "=", await plant.newest())
      .execute();
    await plant.after(1);
    expect(plant.mailsTo(plant.owner)).toEqual(["High: AI1 4.00 bar - Pump house"]);
    await plant.clear(over);
    await plant.after(121);
    await plant.after(60);
    expect(plant.sent).toHaveLength(2);
    const text = plant.sent[1]?.text ?? "";
    expect(text).toContain("2 alerts were raised in your quiet hours and still stand");
    for (const [value, isListed] of [
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ] as const)
      expect(text.includes(`AI1 ${value}.00 bar`), String(value)).toBe(isListed);
    await server.as(plant.owner)(profile.update, { quietHours: null });
    await plant.raise({ value: 5 });
    await plant.after(0);
    expect(plant.mailsTo(plant.owner).at(-1)).toBe("High: AI1 5.00 bar - Pump house");
  });
});

describe("a summary in quiet hours", () => {
  test("of a backlog does not come: its alerts are over", async () => {
    await quiet(-1, 120);
    const at = server.world.clock.now() - 3_600_000;
    for (let n = 0; n < 5; n++) await plant.raise({ at: at + n * 1000, clearedAt: at + n * 1000 + 500, value: n });
    await plant.after(0);
    await plant.after(1);
    await plant.after(130);
    await plant.after(16);
    expect(plant.sent).toEqual([]);
  });

  test("of a flood lists what is urgent; the rest comes when they end, as far as it stands", async () => {
    await quiet(5, 120);
    await plant.plan([{ after: 0, to: [toAccount(plant.owner)] }], { backToNormal: false });
    const over: string[] = [];
    for (let n = 0; n < 15; n++) over.push(await plant.raise({ value: 100 + n }));
    for (let n = 0; n < 25; n++) await plant.raise({ value: 200 + n });
    const { db } = server.world;
    const isUrgent = db.updateTable("alerts").set({ priority: AlertPriority.high }).where("value", ">=", 200);
    await isUrgent.where("plant_id", "=", plant.owner.plantId).execute();
    await plant.after(0);
    expect(plant.sent).toHaveLength(30);
    await plant.after(16);
    expect(plant.sent).toHaveLength(31);
    expect(plant.mailsTo(plant.owner).at(-1)).toMatch(/^5 alerts in /);
    expect(plant.sent.at(-1)?.text).toContain("AI1 224.00 bar");
    expect(plant.sent.at(-1)?.text).not.toContain("AI1 1");
    await plant.clear(over.at(-1) ?? "");
    await plant.after(120);
    await plant.after(20);
    expect(plant.sent).toHaveLength(32);
    expect(plant.sent.at(-1)?.text).toContain("4 alerts were raised in your quiet hours and still stand");
    expect(plant.sent.at(-1)?.text).toContain("AI1 113.00 bar");
  });
});

describe("a flood", () => {
  test("of what is not urgent does not hold the urgent alert among it", async () => {
    await plant.plan([{ after: 0, to: [toAccount(plant.owner)] }]);
    for (let value = 0; value < 25; value++) await plant.raise({ value });
    await plant.raise({ value: 99 });
    const urgent = { priority: AlertPriority.high };
    await server.world.db
      .updateTable("alerts")
      .set(urgent)
      .where("alert_id", "=", await plant.newest())
      .execute();
    await plant.after(0);
    expect(plant.mailsTo(plant.owner)).toContain("High: AI1 99.00 bar - Pump house");
    expect(plant.sent).toHaveLength(11);
  });

  test("is folded where no server sends, too, and each alert's page says that it was not sent", async () => {
    await plant.plan([{ after: 0, to: [toAccount(plant.owner)] }], { backToNormal: false });
    const delivery = createDelivery(plant.needs());
    for (let value = 0; value < 40; value++) {
      await plant.raise({ value });
      await createEscalation(plant.needs()).run();
      await delivery.run();
      server.world.clock.pass(5_000);
    }
    server.world.clock.pass(15 * 60_000);
    await delivery.run();
    const messages = server.world.db.selectFrom("outbox").where("plant_id", "=", plant.owner.plantId);
    const kept = await messages.where("status", "=", "kept").orderBy("message_id").select("subject").execute();
    expect(kept).toHaveLength(11);
    expect(kept.at(-1)?.subject).toBe("30 alerts");
    const { timeline } = await server.as(plant.owner)(alertEntries.info, { alarmLogId: await plant.newest() });
    expect(timeline.flatMap(({ deliveries }) => deliveries)).toMatchObject([{ status: "kept" }]);
  });

  test("of a thousand alerts is a few mails and summaries that list each alert exactly once", async () => {
    await plant.plan([{ after: 0, to: [toAccount(plant.owner)] }], { backToNormal: false });
    for (let n = 0; n < 1000; n++) await plant.raise({ value: 1000 + n });
    for (let minutes = 0; minutes <= 60; minutes += 5) await plant.after(5);
    expect(plant.sent.length).toBeLessThan(15);
    const all = plant.sent.map(({ text }) => text).join("\n");
    const seen = Array.from({ length: 1000 }, (_, n) => all.split(`High: AI1 ${1000 + n}.00 bar`).length - 1);
    expect(new Set(seen)).toEqual(new Set([1]));
    await plant.raise({ value: 7 });
    await plant.after(1);
    expect(plant.mailsTo(plant.owner).at(-1), "calm again").toBe("High: AI1 7.00 bar - Pump house");
  });

  test("does not hold urgent alerts until there are more than 20", async () => {
    await plant.plan([{ after: 0, to: [toAccount(plant.owner)] }]);
    const { world } = server;
    for (let n = 0; n < 25; n++) await plant.raise({ value: n });
    await world.db
      .updateTable("alerts")
      .set({ priority: AlertPriority.high })
      .where("plant_id", "=", plant.owner.plantId)
      .execute();
    await plant.after(0);
    expect(plant.sent).toHaveLength(20);
    await plant.after(15);
    expect(plant.mailsTo(plant.owner).at(-1)).toMatch(/^5 alerts in /);
  });

  test("of a backlog, whose occurrences were over already, is one summary", async () => {
    const at = server.world.clock.now() - 3_600_000;
    for (let n = 0; n < 30; n++) await plant.raise({ at: at + n * 1000, clearedAt: at + n * 1000 + 500, value: n });
    await plant.after(0);
    await plant.after(1);
    expect(plant.sent).toHaveLength(1);
    expect(plant.sent[0]?.text).toContain("30 alerts came and went before the server learned of them");
    const alone = await plant.raise({ at, clearedAt: at + 500, value: 77 });
    expect(alone).not.toBe("");
    await plant.after(16);
    await plant.after(1);
    expect(plant.mailsTo(plant.owner).at(-1)).toBe("High: AI1 77.00 bar - Pump house");
  });
});
