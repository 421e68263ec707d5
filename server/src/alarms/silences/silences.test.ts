import { AlertEventKind, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertPriority, AlertStatus, alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aContact } from "../../test/test-contacts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anAdmin, anInstaller, anOwner, aSupportView, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { clear, createSilenceEnds, raise } from "../index.ts";

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
  device = await aDevice(server.world, owner, { name: "Booster pump skid" });
});

const refusal = (code: number) => expect.objectContaining({ code });
const minute = 60_000;

/** An alert of the device's limits that stands, and the entry's id. */
const anOpenAlert = (priority: AlertPriority = AlertPriority.medium) =>
  anAlert(server.world, owner, { deviceId: device.deviceId, channelId: Number(device.channels.AI1) }).then(
    async (id) => {
      await server.world.db.updateTable("alerts").set({ priority }).where("alert_id", "=", id).execute();
      return id;
    },
  );
const shelve = (alarmLogId: number, more: object = {}, by: Person = owner) =>
  server.as(by)(silences.add, {
    ...{ alarmLogId, kind: SilenceKind.shelf, minutes: 30, reason: "Strainer being cleaned" },
    ...more,
  });
const unconfirmed = async (by: Person = owner) =>
  (await server.as(by)(alerts.unconfirmed)).map(({ alarmLogId }) => alarmLogId);
const standing = async () => (await server.as(owner)(alertEntries.standing)).data;
const keyOf = async (alertId: number) =>
  (
    await server.world.db
      .selectFrom("alerts")
      .select("rule_key")
      .where("alert_id", "=", alertId)
      .executeTakeFirstOrThrow()
  ).rule_key;
const messages = async () =>
  (await server.world.db.selectFrom("outbox").select("alert_id").where("plant_id", "=", owner.plantId).execute()).map(
    ({ alert_id }) => alert_id,
  );

/** A recipient of the device's limits. */
const aRecipient = async () => {
  const contact = await aContact(server.world, owner, {});
  const { alarm_id } = await server.world.db
    .insertInto("alarms")
    .values({
      ...{ plant_id: owner.plantId, alarm_name: "Limits", alarm_class: 2, device_id: device.deviceId },
      created_time: server.world.clock.date(),
    } as never)
    .returning("alarm_id")
    .executeTakeFirstOrThrow();
  await server.world.db.insertInto("alarm_recipients").values({ alarm_id, contact_id: contact }).execute();
};

describe("a shelved alert", () => {
  test("leaves banner and CONFIRM ALL, stays in the log, and comes last among the standing", async () => {
    const [shelved, other] = [await anOpenAlert(AlertPriority.high), await anOpenAlert()];
    await shelve(shelved);
    expect(await unconfirmed()).toEqual([other]);
    expect((await standing()).map(({ alarmLogId, silentUntil }) => [alarmLogId, silentUntil !== null])).toEqual([
      [other, false],
      [shelved, true],
    ]);
    expect((await server.as(owner)(alerts.log)).total).toBe(2);
    expect(await server.as(owner)(alerts.confirmAll)).toEqual({ confirmed: 1 });
    expect(await server.as(owner)(silences.list)).toMatchObject([
      { alarmLogId: shelved, reason: "Strainer being cleaned", byName: "Olga Tester", kind: SilenceKind.shelf },
    ]);
    const info = await server.as(owner)(alertEntries.info, { alarmLogId: shelved });
    expect(info.silence).toMatchObject({ reason: "Strainer being cleaned", endTime: info.silentUntil });
    expect((await server.as(owner)(alertEntries.info, { alarmLogId: other })).silence).toBeNull();
    await server.as(owner)(alerts.confirm, { alarmLogId: shelved });
    expect(await standing()).toMatchObject([{}, { alarmLogId: shelved, status: 2 }]);
  });

  test("returns by itself, and people are notified once of what still stands", async () => {
    await aRecipient();
    const shelved = await anOpenAlert();
    await shelve(shelved);
    await ends.run();
    expect(await messages()).toEqual([]);
    server.world.clock.pass(31 * minute);
    await Promise.all([ends.run(), createSilenceEnds({ ...server.world, metrics: new Registry() }).run()]);
    await ends.run();
    expect(await messages()).toEqual([shelved]);
    expect(await unconfirmed()).toEqual([shelved]);
    expect(await server.as(owner)(silences.list)).toEqual([]);
    const { timeline } = await server.as(owner)(alertEntries.info, { alarmLogId: shelved });
    const kinds = timeline.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining([AlertEventKind.silenced, AlertEventKind.returned]));
    expect(timeline.find(({ kind }) => kind === AlertEventKind.silenced)?.note).toBe("Strainer being cleaned");
  });

  test("that is confirmed notifies nobody when its silence ends: who has confirmed it knows of it", async () => {
    await aRecipient();
    const shelved = await anOpenAlert();
    await server.as(owner)(alerts.confirm, { alarmLogId: shelved });
    await shelve(shelved);
    server.world.clock.pass(31 * minute);
    await ends.run();
    expect(await messages()).toEqual([]);
  });

  test("notifies nobody when its rule raises again meanwhile, nor when the condition has ended by then", async () => {
    const shelved = await anOpenAlert();
    const key = await keyOf(shelved);
    await shelve(shelved);
    const at = server.world.clock.now();
    await clear(server.world.pool, [{ key, at }]);
    const again = {
      plantId: owner.plantId,
      deviceId: device.deviceId,
      alarmClass: 2,
      alarmType: 1,
      key,
      at: at + 1000,
    };
    await raise(server.world.pool, [again], at);
    expect(await unconfirmed()).toEqual([]);
    expect(await standing()).toHaveLength(1);
    await clear(server.world.pool, [{ key, at: at + 2000 }]);
    server.world.clock.pass(31 * minute);
    await ends.run();
    expect(await messages()).toEqual([]);
    const log = (await server.as(owner)(alerts.log)).data;
    expect(
      log.map(({ status, wasSilent }) => [status, wasSilent]),
      "the log still says which of them nobody was notified of",
    ).toEqual([
      [AlertStatus.cleared, true],
      [AlertStatus.cleared, false],
    ]);
  });

  test("ended by hand returns at once, and nobody is notified; the audit log has what it was", async () => {
    const until = new Date(server.world.clock.now() + 30 * minute);
    const shelved = await anOpenAlert();
    const { silenceId } = await shelve(shelved);
    await server.as(owner)(silences.end, { silenceId });
    expect(await unconfirmed()).toEqual([shelved]);
    server.world.clock.pass(31 * minute);
    await ends.run();
    expect(await messages()).toEqual([]);
    await expect(server.as(owner)(silences.end, { silenceId })).rejects.toEqual(refusal(404));
    const log = (await server.as(owner)(audit.list)).data;
    const changesOf = (wanted: string) => log.find(({ action }) => action === wanted)?.changes;
    const kept = { kind: "Shelf", reason: "Strainer being cleaned", endTime: until.toISOString() };
    for (const [field, value] of Object.entries(kept)) {
      expect(changesOf("silence.add")).toContainEqual({ field, before: null, after: value });
      expect(changesOf("silence.end")).toContainEqual({ field, before: value, after: null });
    }
  });

  test("is silenced once at a time, and its end can be moved by who has seen the last change", async () => {
    const shelved = await anOpenAlert();
    const tries = await Promise.allSettled([shelve(shelved), shelve(shelved), shelve(shelved)]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [silence] = await server.as(owner)(silences.list);
    const change = { silenceId: Number(silence?.silenceId), minutes: 60, reason: "Longer", version: 1 };
    await server.as(owner)(silences.update, change);
    await expect(server.as(owner)(silences.update, change)).rejects.toEqual(refusal(409));
    const [after] = await server.as(owner)(silences.list);
    expect(after).toMatchObject({ reason: "Longer", version: 2 });
    expect(after?.endTime.getTime()).toBe(server.world.clock.now() + 60 * minute);
    server.world.clock.pass(61 * minute);
    await shelve(shelved);
  });
});

describe("who may silence what, and for how long", () => {
  test.each([
    ["P1 for 8 hours at most", AlertPriority.high, { minutes: 481 }, "This alert can be shelved for 8 hours at most"],
    ["others for a day", AlertPriority.low, { minutes: 1441 }, "This alert can be shelved for 24 hours at most"],
    ["with a reason", AlertPriority.low, { reason: "  " }, "Enter a reason"],
    ["for a quarter of an hour at least", AlertPriority.low, { minutes: 5 }, "Choose a time of 15 minutes to 90 days"],
  ])("shelved: %s", async (_name, priority, more, message) => {
    await expect(shelve(await anOpenAlert(priority), more)).rejects.toMatchObject({ message });
  });

  test("installers shelve and do not take out of service; viewers and support views do neither", async () => {
    const alarmLogId = await anOpenAlert();
    const out = { kind: SilenceKind.outOfService, minutes: 90 * 1440 };
    const installer = await anInstaller(server.world, owner);
    await expect(shelve(alarmLogId, out, installer)).rejects.toEqual(refusal(403));
    const dashboardId = await aDashboard(server.world, owner, { channels: [Number(device.channels.AI1)] });
    const viewer = await aViewer(server.world, owner, dashboardId);
    await expect(shelve(alarmLogId, {}, viewer)).rejects.toEqual(refusal(403));
    await expect(shelve(alarmLogId, {}, await aSupportView(server.world, owner))).rejects.toEqual(refusal(403));
    await expect(shelve(alarmLogId, {}, await anOwner(server.world))).rejects.toEqual(refusal(404));
    const { silenceId } = await shelve(alarmLogId, out, await anAdmin(server.world, owner));
    await expect(server.as(installer)(silences.end, { silenceId })).rejects.toEqual(refusal(403));
    expect(await server.as(viewer)(silences.list)).toHaveLength(1);
    expect(await server.as(await aViewer(server.world, owner))(silences.list)).toEqual([]);
  });
});
