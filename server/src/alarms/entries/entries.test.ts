import { AlertEventKind, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { AlertClass, AlertPriority, AlertStatus, alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { ContactType } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anAdmin, anOwner, aSupportView, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });
const ids = (rows: { alarmLogId: number }[]) => rows.map((row) => row.alarmLogId);

const aPlant = async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner, { name: "Sump station" });
  const alert = (wanted: Partial<Parameters<typeof anAlert>[2]> = {}) =>
    anAlert(server.world, owner, { deviceId: device.deviceId, channelId: Number(device.channels.AI1), ...wanted });
  const timelineOf = async (alarmLogId: number, by: Person = owner) =>
    (await server.as(by)(alertEntries.info, { alarmLogId })).timeline;
  return { owner, device, alert, timelineOf };
};

const withPriority = (alertId: number, priority: AlertPriority) =>
  server.world.db.updateTable("alerts").set({ priority }).where("alert_id", "=", alertId).execute();

describe("standing alerts", () => {
  test("are those whose condition has not ended, by priority, then newest first, in pages", async () => {
    const { owner, alert } = await aPlant();
    const [low, old, recent, urgent] = [
      await alert({ ago: 1 }),
      await alert({ ago: 9, status: AlertStatus.confirmed }),
      await alert({ ago: 2 }),
      await alert({ ago: 8 }),
    ];
    await alert({ ago: 3, status: AlertStatus.cleared });
    await withPriority(low, AlertPriority.low);
    await withPriority(urgent, AlertPriority.high);
    const as = server.as(owner);
    const page = await as(alertEntries.standing, { size: 3 });
    expect(ids(page.data)).toEqual([urgent, recent, old]);
    expect(page).toMatchObject({ total: 4, total_pages: 2 });
    expect(ids((await as(alertEntries.standing, { size: 3, page: 2 })).data)).toEqual([low]);
    expect(ids((await as(alertEntries.standing, { priority: [AlertPriority.high] })).data)).toEqual([urgent]);
    expect(ids((await as(alertEntries.standing, { status: [AlertStatus.confirmed] })).data)).toEqual([old]);
    expect((await as(alertEntries.standing, { deviceName: "sump" })).total).toBe(4);
    expect((await as(alertEntries.standing, { deviceName: "boiler" })).total).toBe(0);
    expect((await as(alerts.unconfirmed)).map((row) => row.alarmLogId)).toEqual([urgent, recent, low]);
    const waiting = await as(alertEntries.standing, { unconfirmed: 1 });
    expect(ids(waiting.data), "what the bar counts is listed alone").toEqual([urgent, recent, low]);
    expect(waiting.total).toBe(3);
  });

  test("are limited to what a viewer's dashboard shows", async () => {
    const { owner, alert } = await aPlant();
    const shown = await aDevice(server.world, owner, { name: "Shown" });
    const dashboardId = await aDashboard(server.world, owner, { channels: [Number(shown.channels.AI1)] });
    const viewer = await aViewer(server.world, owner, dashboardId);
    const [hidden, seen] = [
      await alert(),
      await anAlert(server.world, owner, { deviceId: shown.deviceId, channelId: Number(shown.channels.AI1) }),
    ];
    const as = server.as(viewer);
    expect(ids((await as(alertEntries.standing)).data)).toEqual([seen]);
    await expect(as(alertEntries.info, { alarmLogId: hidden })).rejects.toEqual(refusal(404));
    await expect(as(alertEntries.note, { alarmLogId: hidden, note: "Mine?" })).rejects.toEqual(refusal(404));
    await expect(as(alertEntries.assign, { alarmLogId: hidden })).rejects.toEqual(refusal(404));
    expect(await as(alertEntries.assignees)).toMatchObject([{ accountId: viewer.accountId }]);
  });
});

describe("an alert's page", () => {
  test("tells what happened in its order, with notes, assignments and confirmation", async () => {
    const { owner, alert, timelineOf } = await aPlant();
    const ada = await anAdmin(server.world, owner);
    const alarmLogId = await alert({ ago: 1 });
    const as = server.as(owner);
    await as(alertEntries.assign, { alarmLogId, accountId: ada.accountId });
    await as(alerts.confirm, { alarmLogId, note: "On my way" });
    await as(alertEntries.note, { alarmLogId, note: "Strainer was blocked" });
    await as(alertEntries.assign, { alarmLogId });
    const timeline = await timelineOf(alarmLogId);
    expect(timeline[0]).toMatchObject({ kind: AlertEventKind.raised });
    expect(timeline).toHaveLength(6);
    const kinds = Object.groupBy(timeline, ({ kind }) => kind);
    expect(kinds[AlertEventKind.note]?.map(({ note, by }) => [note, by])).toEqual([
      ["On my way", "Olga Tester"],
      ["Strainer was blocked", "Olga Tester"],
    ]);
    expect(kinds[AlertEventKind.assigned]?.map(({ to }) => to)).toEqual([expect.any(String), null]);
    expect(kinds[AlertEventKind.confirmed]).toMatchObject([{ by: "Olga Tester" }]);
    const log = (await as(audit.list)).data;
    expect(log.map(({ action }) => action)).toContain("alert.note");
    const [, assigned] = log.filter(({ action }) => action === "alert.assign");
    expect(assigned?.changes[0]).toMatchObject({ before: null, after: ada.email });
  });

  test("is in the time zone of the alert's device", async () => {
    const { owner, device, alert } = await aPlant();
    const alarmLogId = await alert();
    const zone = { time_zone_id: "America/Chicago" };
    await server.world.db.updateTable("devices").set(zone).where("device_id", "=", device.deviceId).execute();
    expect((await server.as(owner)(alertEntries.info, { alarmLogId })).timeZoneId).toBe("America/Chicago");
  });

  test("takes notes after the alert has cleared", async () => {
    const { owner, alert, timelineOf } = await aPlant();
    const alarmLogId = await alert({ status: AlertStatus.cleared });
    await server.as(owner)(alertEntries.note, { alarmLogId, note: "Float switch replaced" });
    expect((await timelineOf(alarmLogId)).at(-1)).toMatchObject({ note: "Float switch replaced" });
  });

  test("lists each message with its outcome; viewers see neither addresses nor faults", async () => {
    const { owner, device, alert, timelineOf } = await aPlant();
    const alarmLogId = await alert();
    const now = server.world.clock.date();
    const stranger = await anOwner(server.world);
    const message = { plant_id: owner.plantId, alert_id: alarmLogId, kind: ContactType.mail, body: "{}" };
    await server.world.db
      .insertInto("outbox")
      .values([
        { ...message, recipient: owner.email, status: "sent", next_time: now, created_time: now, sent_time: now },
        {
          ...message,
          ...{ recipient: "gone@example.test", status: "failed", fault: "550 gone@example.test does not exist" },
          ...{ next_time: now, created_time: now },
        },
        { ...message, recipient: stranger.email, status: "sent", next_time: now, created_time: now, sent_time: now },
      ])
      .execute();
    const deliveries = async (by: Person) =>
      (await timelineOf(alarmLogId, by)).find(({ kind }) => kind === AlertEventKind.notified)?.deliveries;
    expect(await deliveries(owner)).toMatchObject([
      { to: "Olga Tester", status: "sent", fault: "" },
      { to: "gone@example.test", status: "failed", fault: "550 gone@example.test does not exist" },
      { to: stranger.email },
    ]);
    const dashboardId = await aDashboard(server.world, owner, { channels: [Number(device.channels.AI1)] });
    const seen = await deliveries(await aViewer(server.world, owner, dashboardId));
    expect(JSON.stringify(seen)).not.toContain("@");
  });

  test("is read-only in a support view, and nobody else's", async () => {
    const { owner, alert } = await aPlant();
    const other = await anOwner(server.world);
    const alarmLogId = await alert();
    const support = server.as(await aSupportView(server.world, owner));
    expect(await support(alertEntries.info, { alarmLogId })).toMatchObject({ alarmLogId });
    await expect(support(alertEntries.note, { alarmLogId, note: "x" })).rejects.toEqual(refusal(403));
    for (const call of [alertEntries.note, alertEntries.assign])
      await expect(server.as(other)(call, { alarmLogId, note: "x" })).rejects.toEqual(refusal(404));
    await expect(server.as(other)(alertEntries.info, { alarmLogId })).rejects.toEqual(refusal(404));
    const foreign = { alarmLogId, accountId: other.accountId };
    await expect(server.as(owner)(alertEntries.assign, foreign)).rejects.toEqual(refusal(404));
  });
});

describe("what came and went", () => {
  test("is counted since the account's last visit, and found in the log", async () => {
    const { owner, alert } = await aPlant();
    const as = server.as(owner);
    const minutes = (ago: number) => ago * 60_000;
    expect(await as(alertEntries.passed)).toMatchObject({ total: 0 });
    server.world.clock.pass(minutes(40));
    const seen = (await as(alertEntries.passed)).since;
    const passed = await alert({ ago: 1, status: AlertStatus.cleared });
    await alert({ ago: 1 });
    await alert({ ago: 1, status: AlertStatus.cleared, acceptedBy: owner.accountId });
    await alert({ ago: 1, status: AlertStatus.cleared, alarmClass: AlertClass.notification });
    await alert({ ago: 24 * 60, status: AlertStatus.cleared });
    const suppressed = await alert({ ago: 1, status: AlertStatus.cleared });
    await server.world.db.updateTable("alerts").set({ was_silent: true }).where("alert_id", "=", suppressed).execute();
    const { since, total } = await as(alertEntries.passed);
    expect({ since, total }).toEqual({ since: seen, total: 1 });
    expect(ids((await as(alerts.log, { passedSince: since })).data)).toEqual([passed]);
    server.world.clock.pass(minutes(40));
    expect(await as(alertEntries.passed)).toMatchObject({ total: 0 });
  });

  test("counts nobody's visit while support looks", async () => {
    const { owner } = await aPlant();
    const as = server.as(owner);
    const seen = (await as(alertEntries.passed)).since.getTime();
    const support = server.as(await aSupportView(server.world, owner));
    server.world.clock.pass(20 * 60_000);
    await support(alertEntries.passed);
    server.world.clock.pass(20 * 60_000);
    expect((await as(alertEntries.passed)).since.getTime()).toBe(seen);
  });
});

test("confirming all confirms what was shown, not what has arrived since", async () => {
  const { owner, alert } = await aPlant();
  const shown = [await alert(), await alert()];
  const later = await alert();
  const as = server.as(owner);
  expect(await as(alerts.confirmAll, { untilId: Number(shown[1]) })).toEqual({ confirmed: 2 });
  expect((await as(alerts.unconfirmed)).map((row) => row.alarmLogId)).toEqual([later]);
});
