import { Code } from "@telltale/contract/call/codes";
import { alertReports } from "@telltale/contract/domains/alerting/report";
import { reportFigures } from "@telltale/contract/domains/alerting/report-figures";
import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { unpackedPdf } from "../../test/test-pdf.ts";
import {
  aDeviceManager,
  anAdmin,
  anInstaller,
  anOwner,
  aSupportView,
  aViewer,
  type Person,
} from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createAlertReportsJob } from "./monthly-job.ts";

let server: TestServer;
const berlin = zoneOf("Europe/Berlin");
const at = (stamp: string): Date => berlin.moment(stamp) ?? new Date(Number.NaN);

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A plant in Berlin since August 2025 with a device, whose alerts are raised at given local times. */
const aPlant = async () => {
  const { db } = server.world;
  const owner = await anOwner(server.world);
  await db
    .updateTable("plants")
    .set({ time_zone_id: "Europe/Berlin", created_time: at("2025-08-10 08:00") })
    .where("plant_id", "=", owner.plantId)
    .execute();
  const device = await aDevice(server.world, owner, { name: "Sump station" });
  const raise = async (stamp: string, rule: string, more: Partial<Raised> = {}): Promise<number> => {
    const alertId = await anAlert(server.world, owner, {
      deviceId: device.deviceId,
      channelId: Number(device.channels.AI1),
      ...more.wanted,
    });
    const created = at(stamp);
    const after = (seconds: number | undefined) =>
      seconds === undefined ? null : new Date(created.getTime() + seconds * 1000);
    const changed = { created_time: created, rule_key: rule, cleared_time: after(more.stood) };
    const confirmed =
      more.confirmed === undefined ? {} : { accept_time: after(more.confirmed), accepted_by: owner.accountId };
    await db
      .updateTable("alerts")
      .set({ ...changed, ...confirmed, priority: more.priority ?? 2, was_silent: more.wasSilent ?? false })
      .where("alert_id", "=", alertId)
      .execute();
    return alertId;
  };
  return {
    owner,
    device,
    raise,
    read: (month?: string, by: Person = owner) => server.as(by)(alertReports.read, { month }),
  };
};
interface Raised {
  stood: number;
  confirmed: number;
  priority: 1 | 2 | 3;
  wasSilent: boolean;
  wanted: Partial<Parameters<typeof anAlert>[2]>;
}

const refusal = (code: number) => expect.objectContaining({ code });

describe("the report of a month", () => {
  test("has the figures of the month's alerts, in the plant's time zone", async () => {
    const { owner, device, raise, read } = await aPlant();
    // The clock goes back on 26 October: 745 hours.
    await raise("2025-09-30 23:59:59", "before", { stood: 5 });
    await raise("2025-10-01 00:00:00", "first", { stood: 30, confirmed: 60, priority: 1 });
    await raise("2025-10-26 01:30:00", "twice", { stood: 90_000, confirmed: 200 });
    const first = await raise("2025-10-12 14:08:00", "burst 0", { stood: 600, priority: 3 });
    for (let each = 1; each < 12; each++)
      await raise(`2025-10-12 14:08:${String(each * 2 + 10)}`, `burst ${each % 2}`, { stood: 600, priority: 3 });
    await raise("2025-11-01 00:00:00", "after", { stood: 5 });
    const online = { alarmClass: AlertClass.notification, alarmType: AlertType.system, status: AlertStatus.cleared };
    await raise("2025-10-05 12:00:00", "event", { stood: 0, wanted: { ...online, msg: "Online again" } });
    await raise("2025-10-06 12:00:00", "offline", { stood: 4000, wanted: { ...online, msg: "Offline" } });

    const report = await read("2025-10");
    expect(report).toMatchObject({
      ...{ month: "2025-10", firstMonth: "2025-08", timeZone: "Europe/Berlin", isRunning: false },
      ...{ from: at("2025-10-01"), to: at("2025-11-01"), total: 15, totalBefore: 1, suppressed: 0 },
      ...{ periods: 745 * 6, busyPeriods: 1, fleeting: 1, stale: 1, priorities: [1, 2, 12] },
      ...{ confirmSeconds: 130, confirmSecondsP1: 60, chatteringRules: 2, frequentTotal: 15, floodTotal: 1 },
    });
    expect(report.perHour).toBeCloseTo(15 / 745, 9);
    expect(report.days).toHaveLength(31);
    expect(report.days[11]).toMatchObject({ day: "2025-10-12", floodHours: [14] });
    expect(report.days[11]?.hours[14]).toBe(12);
    expect(report.days[25]?.hours[1]).toBe(1);
    expect(report.frequent.slice(0, 2)).toMatchObject([
      { name: "AI1 high", deviceName: "Sump station", deviceId: device.deviceId, alarmId: null, total: 6 },
      { total: 6 },
    ]);
    expect(report.frequent.map(({ name }) => name)).toContain("Offline");
    expect(report.floods).toMatchObject([{ from: at("2025-10-12 14:08:00"), total: 12, first: { alarmLogId: first } }]);
    const figures = Object.fromEntries(
      reportFigures(report).map(({ label, value, outcome }) => [label, [value, outcome]]),
    );
    expect(figures).toMatchObject({
      "Alerts an operator hour": ["<0.1", "met"],
      "Ten most frequent": ["100", "missed"],
      "Chattering, 3 a minute": ["2", "missed"],
      "Stale, over 24 h": ["1", "met"],
      "Median time to confirm": ["2:10", "none"],
      "P1 / P2 / P3, %": ["7 / 13 / 80", "met"],
    });
    expect((await read("2025-09")).total).toBe(1);
    const other = await anOwner(server.world);
    expect((await read(undefined, other)).total, "another plant's").toBe(0);
    expect((await read("2025-10", await aSupportView(server.world, owner))).total).toBe(15);
  });

  test("counts alerts that were silenced when they were raised apart", async () => {
    const { raise, read } = await aPlant();
    for (const hour of ["08", "10", "12"])
      await raise(`2025-10-03 ${hour}:00:00`, "noisy", { stood: 5, wasSilent: hour === "10" });
    expect(await read("2025-10")).toMatchObject({ total: 2, suppressed: 1, fleeting: 2 });
    expect(await read("2025-11")).toMatchObject({ total: 0, totalBefore: 2, suppressed: 0 });
  });

  test("counts as stale also what has stood since before the month for more than a day of it, and for no other figure", async () => {
    const { raise, read } = await aPlant();
    const day = 86_400;
    await raise("2025-08-20 12:00:00", "stands still");
    await raise("2025-09-20 12:00:00", "until within October", { stood: 20 * day });
    await raise("2025-09-29 12:00:00", "until the first hours of October", { stood: 2 * day });
    await raise("2025-09-20 12:00:00", "silent", { wasSilent: true });
    const event = { alarmClass: AlertClass.notification, alarmType: AlertType.system, status: AlertStatus.cleared };
    await raise("2025-09-20 12:00:00", "event", { stood: 0, wanted: { ...event, msg: "Online again" } });
    await raise("2025-10-31 12:00:00", "raised in October", { stood: 2 * day });
    expect(await read("2025-08")).toMatchObject({ total: 1, stale: 1 });
    expect(await read("2025-09")).toMatchObject({ total: 2, stale: 3 });
    expect(await read("2025-10")).toMatchObject({ total: 1, stale: 3, fleeting: 0, suppressed: 0 });
    expect(await read("2025-11")).toMatchObject({ total: 0, stale: 2 });
  });

  test("is the last month that has ended; of other months than the plant has there is none", async () => {
    const { owner, read } = await aPlant();
    const now = server.world.clock.date();
    const report = await read();
    expect(report.month < report.lastMonth).toBe(true);
    expect(await read(report.lastMonth)).toMatchObject({ isRunning: true, to: now, total: 0 });
    expect(await read("2025-08")).toMatchObject({ from: at("2025-08-10 08:00"), totalBefore: null });
    for (const month of ["2025-07", "2999-01"]) await expect(read(month)).rejects.toEqual(refusal(Code.invalid));
    await expect(read("October")).rejects.toThrow("Enter the month as 2026-10");
    const dashboardId = await aDashboard(server.world, owner, { channels: [] });
    const viewer = await aViewer(server.world, owner, dashboardId);
    await expect(read(undefined, viewer)).rejects.toEqual(refusal(Code.notAllowed));
  });
});

test("the report is downloaded as PDF", async () => {
  const { owner, raise } = await aPlant();
  const named = server.world.db.updateTable("plants").set({ name: "Łódź" });
  await named.where("plant_id", "=", owner.plantId).execute();
  for (let each = 10; each < 25; each++) await raise(`2025-10-12 14:08:${each}`, "burst", { stood: 6 });
  const answer = await server.as(owner)(alertReports.pdf, { month: "2025-10" });
  const pdf = Buffer.from(await answer.arrayBuffer());
  const text = pdf.toString("latin1");
  expect(text).toMatch(/^%PDF-/);
  expect(text.trimEnd()).toMatch(/%%EOF$/);
  expect(unpackedPdf(pdf)).toMatch(/<0141>/i);
  const empty = await server.as(owner)(alertReports.pdf, { month: "2025-09" });
  expect(Buffer.from(await empty.arrayBuffer()).toString("latin1")).toMatch(/^%PDF-/);
});

test("owners, admins and device managers get a month's report by mail, once, after the month has ended", async () => {
  const { owner, raise } = await aPlant();
  const people = [owner, await anAdmin(server.world, owner), await aDeviceManager(server.world, owner)];
  await anInstaller(server.world, owner);
  const { clock, db } = server.world;
  const month = zoneOf("Europe/Berlin").day(clock.now()).slice(0, 7);
  await raise(`${month}-01 00:30:00`, "noisy", { stood: 5 });
  await db
    .insertInto("alert_reports")
    .values({
      plant_id: owner.plantId,
      month: 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 2,
      sent_time: clock.date(),
    })
    .execute();
  const mails = () =>
    db.selectFrom("outbox").select(["recipient", "subject", "body"]).where("plant_id", "=", owner.plantId).execute();
  // Two nodes, each with its job.
  const run = () => Promise.all([createAlertReportsJob(server.world).run(), createAlertReportsJob(server.world).run()]);
  await run();
  expect(await mails(), "the month has not ended").toEqual([]);
  for (let day = 0; day < 33; day++) {
    clock.pass(86_400_000);
    if (day > 29) await run();
  }
  await run();
  const sent = await mails();
  expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(people.map(({ email }) => email).toSorted());
  expect(sent[0]?.subject).toMatch(/^Alert report of \w+ 20\d\d: /);
  const letter = sent[0]?.body as {
    attachment: { base64: string };
    facts: [string, string][];
    action: { url: string };
  };
  expect(Buffer.from(letter.attachment.base64, "base64").toString("latin1")).toMatch(/^%PDF-/);
  expect(letter.facts).toContainEqual(["Alerts, all", expect.stringMatching(/^1, 0 in \w+$/)]);
  expect(letter.action.url).toContain(`/alarms/report?month=${month}`);
});
