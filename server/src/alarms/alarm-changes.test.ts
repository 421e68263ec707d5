import { Message } from "@telltale/contract/call/codes";
import { alarms } from "@telltale/contract/domains/alarms";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertClass, AlertPriority, AlertStatus, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { users } from "@telltale/contract/domains/people/users";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AlarmInput, aLowFlow, aWatchableStation, type Watchable } from "../test/test-alarms.ts";
import type { TestDevice } from "../test/test-devices.ts";
import { anInstaller, anOwner, aSupportView, aViewer, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { raise, ruleKey } from "./index.ts";

let server: TestServer;
let owner: Person;
let watchable: Watchable;
let station: TestDevice;
let contact: number;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  watchable = await aWatchableStation(server.world, owner);
  ({ station, contact } = watchable);
});
afterAll(() => server.close());

const asOwner = () => server.as(owner);
const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const aCustom = (more: AlarmInput = {}) => aLowFlow(watchable, more);
const channelId = () => Number(station.channels.AI3);
const add = async (more: AlarmInput = {}) => (await asOwner()(alarms.add, aCustom(more))).alarmId;
const infoOf = (alarmId: number) => asOwner()(alarms.info, { alarmId });

describe("a change", () => {
  test("by the second of two people is refused, and nothing of it is saved", async () => {
    const alarmId = await add();
    const installer = server.as(await anInstaller(server.world, owner));
    const change = { ...aCustom(), alarmId, version: 1 };
    await installer(alarms.update, { ...change, alarmName: "Theirs" });
    const late = refusal(409, Message.changedMeanwhile);
    await expect(asOwner()(alarms.update, { ...change, alarmName: "Mine", notifyUserIds: [] })).rejects.toEqual(
      refusal(422),
    );
    await expect(asOwner()(alarms.update, { ...change, alarmName: "Mine" })).rejects.toEqual(late);
    expect(await infoOf(alarmId)).toMatchObject({ alarmName: "Theirs", version: 2, notifyUserIds: [contact] });
    const race = ["A", "B", "C"].map((alarmName) =>
      asOwner()(alarms.update, { ...change, alarmName, version: 2 }).then(
        () => 0,
        (fault) => fault.code,
      ),
    );
    expect((await Promise.all(race)).toSorted()).toEqual([0, 409, 409]);
  });

  test("that does not say who is notified leaves that as it was; a blank one says nobody", async () => {
    const limits = { alarmName: "Station limits", alarmClass: AlertClass.threshold, deviceId: station.deviceId };
    const { alarmId } = await asOwner()(alarms.add, { ...limits, notifyUserIds: [contact] });
    await asOwner()(alarms.update, { ...limits, alarmId, alarmName: "Limits changed" });
    expect(await infoOf(alarmId)).toMatchObject({ alarmName: "Limits changed", notifyUserIds: [contact] });
    await asOwner()(alarms.update, { ...limits, alarmId, notifyUserIds: [] });
    expect(await infoOf(alarmId)).toMatchObject({ notifyUserIds: [] });
  });

  test("of what it watches ends its shelf, which would be about nothing; any other leaves it, and P1 shortens it to 8 hours", async () => {
    const alarmId = await add();
    const { world } = server;
    const place = { plantId: owner.plantId, deviceId: station.deviceId, channelId: channelId(), alarmId };
    const key = ruleKey.custom(alarmId, channelId(), AlertType.low);
    const at = world.clock.now();
    await raise(
      world.pool,
      [{ ...place, alarmClass: AlertClass.custom, alarmType: AlertType.low, value: 5, key, at }],
      at,
    );
    const [entry] = (await asOwner()(alerts.log)).data;
    const shelf = { kind: SilenceKind.shelf, minutes: 1440, reason: "Strainer" };
    await asOwner()(silences.add, { ...shelf, alarmLogId: entry?.alarmLogId });
    const ends = async () =>
      (await asOwner()(silences.list)).map(({ endTime }) => (endTime.getTime() - at) / 3_600_000);
    await asOwner()(alarms.update, { ...aCustom({ alarmValue: 25, priority: AlertPriority.low }), alarmId });
    expect(await ends()).toEqual([24]);
    await asOwner()(alarms.update, { ...aCustom({ priority: AlertPriority.high }), alarmId });
    expect(await ends()).toEqual([8]);
    await asOwner()(alarms.update, { ...aCustom({ type: AlertType.high, alarmValue: 90 }), alarmId });
    expect(await ends()).toEqual([]);
    const again = asOwner()(silences.add, { ...shelf, alarmLogId: entry?.alarmLogId });
    await expect(again, "what it was about is no longer watched").rejects.toEqual(refusal(409));
  });

  test("is kept in the audit log with what it was", async () => {
    const alarmId = await add();
    await asOwner()(alarms.update, { ...aCustom({ alarmValue: 25, type: AlertType.high }), alarmId });
    await asOwner()(alarms.remove, { alarmId });
    const log = await server.world.db
      .selectFrom("audit_log")
      .select(["action", "user_id", "detail"])
      .where("plant_id", "=", owner.plantId)
      .where("action", "like", "alarm%")
      .orderBy("audit_id")
      .execute();
    expect(log).toMatchObject([
      { action: "alarm.add", user_id: owner.userId, detail: { target: "Flow low", after: { device: "Station" } } },
      {
        action: "alarm.edit",
        detail: {
          before: { type: "Low", alarmValue: 20 },
          after: { alarmClass: "Custom", channel: "Cooling water", type: "High", alarmValue: 25 },
        },
      },
      { action: "alarm.delete", detail: { before: { alarmName: "Flow low", alarmValue: 25 } } },
    ]);
  });

  test("is not a support view's, and of another plant's alert not anybody's", async () => {
    const alarmId = await add();
    const support = server.as(await aSupportView(server.world, owner));
    await expect(support(alarms.remove, { alarmId })).rejects.toEqual(refusal(403, Message.readOnly));
    expect(await support(alarms.info, { alarmId })).toMatchObject({ alarmId });
    const stranger = server.as(await anOwner(server.world));
    await expect(stranger(alarms.remove, { alarmId })).rejects.toEqual(refusal(404));
    await expect(stranger(alarms.info, { alarmId })).rejects.toEqual(refusal(404));
  });
});

test("a deleted alarm is removed from its accounts, and concurrent edits of these accounts conflict", async () => {
  const viewer = await aViewer(server.world, owner);
  const [kept, gone] = [await add(), await add()];
  await asOwner()(users.edit, { accountId: viewer.accountId, alarmIds: [kept, gone] });
  const rowOf = async () =>
    (await asOwner()(users.list)).data.find(({ accountId }) => accountId === viewer.accountId) as never as {
      version: number;
      alarmNum: number;
      alarmIds: number[];
    };
  const before = await rowOf();
  expect(before).toMatchObject({ alarmNum: 2, alarmIds: [kept, gone] });
  await asOwner()(alarms.remove, { alarmId: gone });
  expect(await rowOf()).toMatchObject({ alarmNum: 1, alarmIds: [kept], version: before.version + 1 });
  const stale = { accountId: viewer.accountId, alarmIds: before.alarmIds, version: before.version };
  await expect(asOwner()(users.edit, stale)).rejects.toEqual(refusal(409, Message.changedMeanwhile));
});

test("alerts that were raised stay in the log when their rule goes", async () => {
  const alarmId = await add();
  const { db, clock } = server.world;
  const open = { plant_id: owner.plantId, device_id: station.deviceId, channel_id: channelId(), alarm_id: alarmId };
  await db
    .insertInto("alerts")
    .values({
      ...open,
      alarm_class: AlertClass.custom,
      alarm_type: AlertType.low,
      status: AlertStatus.confirmed,
      threshold: 20,
      created_time: clock.date(),
      rule_key: `1:${alarmId}:${channelId()}:2`,
    })
    .execute();
  clock.pass(60_000);
  await asOwner()(alarms.remove, { alarmId });
  const rows = await db.selectFrom("alerts").selectAll().where("alarm_id", "=", alarmId).execute();
  expect(rows).toMatchObject([{ status: AlertStatus.cleared, cleared_time: clock.date() }]);
});
