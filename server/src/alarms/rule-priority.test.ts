import { alarms } from "@telltale/contract/domains/alarms";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertClass, AlertPriority, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AlarmInput, aLowFlow, aWatchableStation, type Watchable } from "../test/test-alarms.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { clear, raise, ruleKey } from "./index.ts";

const { high, medium, low } = AlertPriority;
const hour = 3_600_000;

let server: TestServer;
let owner: Person;
let watchable: Watchable;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await anOwner(server.world);
  watchable = await aWatchableStation(server.world, owner);
});

const as = () => server.as(owner);
const channelId = () => Number(watchable.station.channels.AI3);
const custom = (more: AlarmInput = {}) => aLowFlow(watchable, more);
/** A rule about the station's own limits. */
const aboutLimits = (more: AlarmInput = {}) => ({
  ...{ alarmName: "Limits", alarmClass: AlertClass.threshold, deviceId: watchable.station.deviceId },
  ...{ notifyUserIds: [watchable.contact], ...more },
});

/** Raises an alert of the station's flow as a reading would, by a custom alarm or by its own limit; returns it. */
const raised = async (alarmId?: number) => {
  const { pool, clock } = server.world;
  const at = clock.now();
  const key = alarmId
    ? ruleKey.custom(alarmId, channelId(), AlertType.low)
    : ruleKey.threshold(channelId(), AlertType.low);
  const about = { plantId: owner.plantId, deviceId: watchable.station.deviceId, channelId: channelId(), alarmId };
  const alarmClass = alarmId ? AlertClass.custom : AlertClass.threshold;
  await raise(pool, [{ ...about, alarmClass, alarmType: AlertType.low, value: 5, key, at }], at);
  const [entry] = (await as()(alerts.log)).data;
  if (!entry) throw new Error("No alert was raised");
  return { ...entry, key };
};
const shelve = ({ alarmLogId }: { alarmLogId: number }, minutes = 1440) =>
  as()(silences.add, { kind: SilenceKind.shelf, minutes, reason: "Strainer", alarmLogId });
/** For how many hours from now each shelf holds. */
const shelves = async () =>
  (await as()(silences.list)).map(({ endTime }) => (endTime.getTime() - server.world.clock.now()) / hour);
const tooLong = "This alert can be shelved for 8 hours at most";

describe("a P1 alert is shelved for 8 hours at most", () => {
  test("where its rule became P1 after it was raised", async () => {
    const { alarmId } = await as()(alarms.add, custom());
    const entry = await raised(alarmId);
    await as()(alarms.update, { ...custom({ priority: high }), alarmId });
    await expect(shelve(entry)).rejects.toMatchObject({ message: tooLong });
    await shelve(entry, 480);
  });

  test("where it stands as P1 and its rule is P1 no more", async () => {
    const { alarmId } = await as()(alarms.add, custom({ priority: high }));
    const entry = await raised(alarmId);
    const { silenceId } = await shelve(entry, 480);
    await as()(alarms.update, { ...custom({ priority: low }), alarmId });
    const longer = { silenceId, minutes: 1440, reason: "Strainer" };
    await expect(as()(silences.update, longer)).rejects.toMatchObject({ message: tooLong });
    await clear(server.world.pool, [{ key: entry.key, at: server.world.clock.now() }]);
    await as()(silences.update, longer);
    expect(await shelves()).toEqual([24]);
  });

  test("of a device's limits, where the rule about them becomes P1, or one is added as P1", async () => {
    const { alarmId } = await as()(alarms.add, aboutLimits({ priority: low }));
    const { silenceId } = await shelve(await raised());
    await as()(alarms.update, { ...aboutLimits({ priority: medium }), alarmId });
    expect(await shelves()).toEqual([24]);
    await as()(alarms.update, { ...aboutLimits({ priority: high }), alarmId });
    expect(await shelves()).toEqual([8]);
    await as()(alarms.remove, { alarmId });
    await as()(silences.update, { silenceId, minutes: 1440, reason: "Strainer" });
    await as()(alarms.add, aboutLimits({ priority: high }));
    expect(await shelves()).toEqual([8]);
    await as()(alarms.add, aboutLimits({ priority: low }));
    expect(await shelves(), "the first of several rules names the alerts").toEqual([8]);
  });
});

test("an alert of a device's limits takes name and priority of the rule that is switched on, as its messages do", async () => {
  await as()(alarms.add, aboutLimits({ alarmName: "Of last year", priority: low, enabled: 0 }));
  await as()(alarms.add, aboutLimits({ alarmName: "Of this year", priority: high }));
  expect(await raised()).toMatchObject({ alarmName: "Of this year", priority: high });
});
