import { AlertEventKind, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { alertReports } from "@telltale/contract/domains/alerting/report";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../../test/test-contacts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { aDailyWindow, hour, windowTimes } from "../../test/test-maintenance.ts";
import { anInstaller, anOwner, aSupportView, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createSilenceEnds, raise, ruleKey } from "../index.ts";

let server: TestServer;
let owner: Person;
let device: TestDevice;
let ends: ReturnType<typeof createSilenceEnds>;

beforeAll(async () => {
  server = await startTestServer();
  ends = createSilenceEnds({ ...server.world, metrics: new Registry() });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await anOwner(server.world);
  device = await aDevice(server.world, owner, { name: "Feed pump drive" });
});

const refusal = (code: number) => expect.objectContaining({ code });
const now = () => server.world.clock.now();
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
const plan = (more: object = {}) => aDailyWindow(now(), [device.deviceId], more);
const add = (more: object = {}, by: Person = owner) => server.as(by)(silences.add, plan(more));
const listed = async (by: Person = owner) => server.as(by)(silences.list);
const unconfirmed = async () => (await server.as(owner)(alerts.unconfirmed)).map(({ alarmLogId }) => alarmLogId);
const messages = async () =>
  (await server.world.db.selectFrom("outbox").select("alert_id").where("plant_id", "=", owner.plantId).execute())
    .length;

/** A recipient of the device's limits. */
const aRecipient = async () => {
  const contact_id = await aContact(server.world, owner, {});
  const rule = { plant_id: owner.plantId, alarm_name: "Limits", alarm_class: 2 as const, device_id: device.deviceId };
  const { alarm_id } = await server.world.db
    .insertInto("alarms")
    .values({
      ...rule,
      channel_id: null,
      type: null,
      alarm_value: null,
      alarm_hysteresis: null,
      created_by: null,
      created_time: server.world.clock.date(),
    })
    .returning("alarm_id")
    .executeTakeFirstOrThrow();
  await server.world.db.insertInto("alarm_recipients").values({ alarm_id, contact_id }).execute();
};
/** Raises an alert of the device's limits, as a reading would. */
const raised = async (alarmType = 1) => {
  const channelId = Number(device.channels.AI1);
  const alert = { plantId: owner.plantId, deviceId: device.deviceId, channelId, alarmClass: 2, alarmType };
  await raise(server.world.pool, [{ ...alert, key: ruleKey.threshold(channelId, alarmType), at: now() }], now());
};

describe("a device in a maintenance window", () => {
  test("is suppressed like a shelved alert, and recorded as ever", async () => {
    await aRecipient();
    await add();
    await raised();
    expect(await messages()).toBe(0);
    expect(await unconfirmed()).toEqual([]);
    expect(await server.as(owner)(alerts.confirmAll)).toEqual({ confirmed: 0 });
    const [row] = (await server.as(owner)(alertEntries.standing)).data;
    expect(row).toMatchObject({ isSilent: true, status: 1 });
    const info = await server.as(owner)(alertEntries.info, { alarmLogId: Number(row?.alarmLogId) });
    expect(info.silence).toMatchObject({ kind: SilenceKind.maintenance, reason: "Belts", endTime: row?.silentUntil });
    expect((await server.as(owner)(alerts.log)).data).toMatchObject([{ isSilent: true }]);
    // The window goes on to its next occurrence; the report still tells what was raised in this one.
    server.world.clock.pass(hour + 60_000);
    await ends.run();
    await raised(2);
    server.world.clock.pass(1_000);
    expect(await server.as(owner)(alertReports.read, { month: monthOf(now()) })).toMatchObject({
      total: 1,
      suppressed: 1,
    });
  });

  test("is not yet suppressed before it begins, and no other device is", async () => {
    await aRecipient();
    await add(windowTimes(now() + hour, now() + 2 * hour));
    await raised();
    expect(await messages()).toBe(1);
    expect(await unconfirmed()).toHaveLength(1);
    const other = await aDevice(server.world, owner, { name: "Sump station" });
    await add({ deviceIds: [other.deviceId] });
    expect(await unconfirmed()).toHaveLength(1);
    server.world.clock.pass(hour + 1);
    expect(await unconfirmed()).toEqual([]);
    const nodes = Array.from({ length: 6 }, () => createSilenceEnds({ ...server.world, metrics: new Registry() }));
    await Promise.all(nodes.map((node) => node.run()));
    const [standing] = (await server.as(owner)(alertEntries.standing)).data;
    const { timeline } = await server.as(owner)(alertEntries.info, { alarmLogId: Number(standing?.alarmLogId) });
    const silenced = timeline.filter(({ kind }) => kind === AlertEventKind.silenced);
    expect(silenced, "its page says so, once").toMatchObject([{ note: "Belts", by: null }]);
  });

  test("leaves the plans of standing alerts alone while it has not begun, whatever is changed in it", async () => {
    await raised();
    const escalation = () =>
      server.world.db
        .selectFrom("escalations")
        .innerJoin("alerts", "alerts.alert_id", "escalations.alert_id")
        .where("alerts.device_id", "=", device.deviceId)
        .select(["position", "due_time", "started_time"])
        .execute();
    const before = await escalation();
    expect(before).toHaveLength(1);
    const spans = windowTimes(now() + hour, now() + 2 * hour);
    const { silenceId } = await add(spans);
    await server.as(owner)(silences.update, { ...plan(spans), silenceId, reason: "Belts and bearings" });
    expect(await escalation()).toEqual(before);
  });

  test("that ends by itself notifies once of what stands, and the window occurs again the next day", async () => {
    await aRecipient();
    await add();
    await raised();
    await ends.run();
    expect(await messages()).toBe(0);
    const [before] = await listed();
    server.world.clock.pass(hour + 60_000);
    const nodes = Array.from({ length: 6 }, () => createSilenceEnds({ ...server.world, metrics: new Registry() }));
    await Promise.all(nodes.map((node) => node.run()));
    await ends.run();
    expect(await messages()).toBe(1);
    expect(await unconfirmed()).toHaveLength(1);
    const [after] = await listed();
    expect(after).toMatchObject({ silenceId: before?.silenceId, version: before?.version });
    expect(Number(after?.startTime) - Number(before?.startTime)).toBe(24 * hour);
    server.world.clock.pass(22 * hour);
    await raised(2);
    expect(await messages()).toBe(1);
  });

  test("of two windows notifies when the last of them ends", async () => {
    await aRecipient();
    await add();
    await add({ name: "Longer", ...windowTimes(now() - hour, now() + 2 * hour) });
    await raised();
    const returns = async () => {
      const [row] = (await server.as(owner)(alertEntries.standing)).data;
      const { timeline } = await server.as(owner)(alertEntries.info, { alarmLogId: Number(row?.alarmLogId) });
      return timeline.filter(({ kind }) => kind === AlertEventKind.returned).length;
    };
    server.world.clock.pass(hour + 60_000);
    await ends.run();
    expect([await messages(), await returns()]).toEqual([0, 0]);
    server.world.clock.pass(hour);
    await ends.run();
    expect([await messages(), await returns()]).toEqual([1, 1]);
  });

  test("ended by hand notifies nobody, for this time or for good", async () => {
    await aRecipient();
    const { silenceId } = await add();
    await raised();
    await server.as(owner)(silences.end, { silenceId, occurrence: 1, version: 1 });
    expect(await unconfirmed()).toHaveLength(1);
    const [next] = await listed();
    expect(Number(next?.startTime)).toBeGreaterThan(now() + 20 * hour);
    const again = server.as(owner)(silences.end, { silenceId, occurrence: 1 });
    await expect(again, "the next one has not begun").rejects.toEqual(refusal(409));
    expect(await listed()).toEqual([next]);
    await expect(server.as(owner)(silences.end, { silenceId, version: 1 })).rejects.toEqual(refusal(409));
    await server.as(owner)(silences.end, { silenceId });
    expect(await listed()).toEqual([]);
    server.world.clock.pass(2 * hour);
    await ends.run();
    expect(await messages()).toBe(0);
    const [forGood, once] = (await server.as(owner)(audit.list)).data.filter((row) => row.action === "maintenance.end");
    const [then, later] = [Number(next?.endTime) - 24 * hour, Number(next?.endTime)].map((at) =>
      new Date(at).toISOString(),
    );
    expect(once?.changes).toContainEqual({ field: "endTime", before: then, after: later });
    expect(forGood?.changes).toContainEqual({ field: "endTime", before: later, after: null });
    expect(forGood?.changes).toContainEqual({ field: "reason", before: "Belts", after: null });
  });
});

describe("who may plan maintenance, and of what", () => {
  test("not installers, viewers and support views; not of other plants' devices", async () => {
    const installer = await anInstaller(server.world, owner);
    await expect(add({}, installer)).rejects.toEqual(refusal(403));
    await expect(add({}, await aSupportView(server.world, owner))).rejects.toEqual(refusal(403));
    const stranger = await anOwner(server.world);
    await expect(add({}, stranger)).rejects.toEqual(refusal(404));
    const { silenceId } = await add();
    await expect(server.as(installer)(silences.end, { silenceId })).rejects.toEqual(refusal(403));
    await expect(server.as(installer)(silences.update, { ...plan(), silenceId })).rejects.toEqual(refusal(403));
    await expect(server.as(stranger)(silences.end, { silenceId })).rejects.toEqual(refusal(404));
    expect(await listed(installer)).toHaveLength(1);
    expect(await listed(stranger)).toEqual([]);
  });

  test("a viewer sees windows of its devices, and of these no other device", async () => {
    const other = await aDevice(server.world, owner, { name: "Sump station" });
    await add({ deviceIds: [device.deviceId, other.deviceId] });
    const dashboardId = await aDashboard(server.world, owner, { channels: [Number(device.channels.AI1)] });
    const viewer = await aViewer(server.world, owner, dashboardId);
    expect((await listed(viewer)).map(({ devices }) => devices.map(({ deviceId }) => deviceId))).toEqual([
      [device.deviceId],
    ]);
    expect(await listed(await aViewer(server.world, owner))).toEqual([]);
  });

  test.each([
    [{ name: "" }, "Enter a name"],
    [{ deviceIds: [] }, "Choose at least one device"],
    [{ repeat: WindowRepeat.once }, "Enter the day"],
    [{ repeat: WindowRepeat.once, date: "2020-01-01" }, "This window is over already. Enter a later day"],
    [{ repeat: WindowRepeat.monthly, weekday: 1 }, "Choose a day of the month"],
    [{ daysLater: 2 }, "A daily window lasts 24 hours at most"],
    [{ timeZoneId: "Mars/Base" }, "Unknown time zone"],
  ])("%o is refused", async (more, message) => {
    await expect(add(more)).rejects.toMatchObject({ message });
  });
});

test("a plant has at most 200 windows that have not ended, however many are added at once", async () => {
  await add();
  const [first] = await listed();
  const window = {
    plant_id: owner.plantId,
    kind: SilenceKind.maintenance,
    alarm_name: "Drive service",
    reason: "Belts",
  };
  const times = { created_time: new Date(now()), start_time: new Date(now()), end_time: new Date(now() + hour) };
  const none = { rule_key: null, device_id: null, priority: null, created_by: owner.accountId };
  const rows = Array.from({ length: 198 }, () => ({ ...window, ...none, ...times }));
  await server.world.db.insertInto("silences").values(rows).execute();
  const added = await Promise.allSettled([add(), add(), add()]);
  expect(added.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  await expect(add()).rejects.toMatchObject({
    code: 409,
    message:
      "A plant has at most 200 maintenance windows that have not ended. End one first, or add the devices to another",
  });
  await server.as(owner)(silences.end, { silenceId: Number(first?.silenceId) });
  await add();
});
