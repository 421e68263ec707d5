import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { AlertClass, AlertType, alerts, firstOutWithin } from "@telltale/contract/domains/alerts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { byTime, firstOutOf, minutesAround } from "./first-out.rules.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A master with a sub-device, and a device of its own. */
const aPlant = async () => {
  const owner = await anOwner(server.world);
  const master = await aDevice(server.world, owner, { name: "Sump station" });
  const sub = await aDevice(server.world, owner, { name: "Feed pump drive", parentDeviceId: master.deviceId });
  const other = await aDevice(server.world, owner, { name: "Boiler house" });
  /** An alert of a device's first channel, some seconds after half an hour ago. */
  const alert = (device: typeof master, second: number, more: Partial<Parameters<typeof anAlert>[2]> = {}) => {
    const place = { deviceId: device.deviceId, channelId: Number(device.channels.AI1) };
    return anAlert(server.world, owner, { ...place, ago: 30 - second / 60, ...more });
  };
  const log = async (by: Person = owner) => {
    const { data } = await server.as(by)(alerts.log, { size: 100 });
    return new Map(data.map(({ alarmLogId, firstOf, follows }) => [alarmLogId, { firstOf, follows }]));
  };
  return { owner, master, sub, other, alert, log };
};
const alone = { firstOf: null, follows: null };
const first = (firstOf: number) => ({ firstOf, follows: null });
const after = (alarmLogId: number, seconds: number, name = "AI1") => ({
  firstOf: null,
  follows: { alarmLogId, name, seconds },
});

describe("the first of several alerts", () => {
  test("is marked in a master's family, with those that followed within a minute; one that stands alone is not", async () => {
    const { owner, master, sub, other, alert, log } = await aPlant();
    const [cause, effect, late, away, single] = [
      await alert(sub, 0),
      await alert(master, 28),
      await alert(sub, 60),
      await alert(other, 5),
      await alert(master, 500),
    ];
    const places = await log();
    expect([cause, effect, late, away, single].map((id) => places.get(id))).toEqual([
      first(3),
      after(cause, 28),
      after(cause, 60),
      alone,
      alone,
    ]);
    const as = server.as(owner);
    expect(await as(alertEntries.info, { alarmLogId: cause })).toMatchObject(first(3));
    expect(await as(alertEntries.info, { alarmLogId: effect })).toMatchObject(after(cause, 28));
    const standing = await as(alertEntries.standing);
    expect(standing.data.find(({ alarmLogId }) => alarmLogId === effect)).toMatchObject(after(cause, 28));
    const found = await as(alerts.log, { deviceName: "drive" });
    expect(found.data.find(({ alarmLogId }) => alarmLogId === cause)).toMatchObject(first(3));
  });

  test("of those raised at the same time is the one that was recorded first", async () => {
    const { master, sub, alert, log } = await aPlant();
    const [one, two] = [await alert(master, 0), await alert(sub, 0)];
    const places = await log();
    expect([places.get(one), places.get(two)]).toEqual([first(2), after(one, 0)]);
  });

  test("is told by the rule's name where a rule raised it", async () => {
    const { master, sub, alert, log } = await aPlant();
    const [cause, effect] = [await alert(master, 0, { alarmClass: AlertClass.custom }), await alert(sub, 4)];
    await server.world.db
      .updateTable("alerts")
      .set({ alarm_name: "Wet well high" })
      .where("alert_id", "=", cause)
      .execute();
    expect((await log()).get(effect)).toEqual(after(cause, 4, "Wet well high"));
  });

  test("is not one that repeats, and not a notification", async () => {
    const { owner, master, sub, alert, log } = await aPlant();
    const chatter = [await alert(master, 0), await alert(master, 20), await alert(master, 40)];
    await server.world.db
      .updateTable("alerts")
      .set({ rule_key: `chatter ${owner.plantId}`, status: 3, cleared_time: new Date() })
      .where("alert_id", "in", chatter)
      .execute();
    const offline = await alert(sub, 10, { alarmClass: AlertClass.notification, alarmType: AlertType.system });
    const places = await log();
    expect([...chatter, offline].map((id) => places.get(id))).toEqual([alone, alone, alone, alone]);
  });

  test("is for a viewer the first of those that it may see", async () => {
    const { owner, master, sub, alert, log } = await aPlant();
    const [hidden, shown] = [await alert(sub, 0), await alert(master, 3)];
    const dashboardId = await aDashboard(server.world, owner, { channels: [Number(master.channels.AI1)] });
    const places = await log(await aViewer(server.world, owner, dashboardId));
    expect([places.get(hidden), places.get(shown)]).toEqual([undefined, alone]);
    expect((await log()).get(shown)).toEqual(after(hidden, 3));
  });
});

describe("the places in a family", () => {
  const family = fc
    .array(fc.record({ at: fc.nat({ max: 400_000 }), ruleKey: fc.constantFrom("a", "b", "c") }), { maxLength: 30 })
    .map((found) => found.map((each, alertId) => ({ ...each, alertId, name: `${alertId}` })).toSorted(byTime));

  test("are those that comparing each with each gives", () => {
    fc.assert(
      fc.property(family, (alertsOfFamily) => {
        for (const own of alertsOfFamily) {
          const isNear = (at: number, from: number, to: number) => at >= from && at <= to;
          const before = alertsOfFamily.filter(
            (each) => byTime(each, own) < 0 && isNear(each.at, own.at - firstOutWithin, own.at),
          );
          const behind = alertsOfFamily.filter(
            (each) => byTime(each, own) >= 0 && isNear(each.at, own.at, own.at + firstOutWithin),
          );
          const others = before.filter(({ ruleKey }) => ruleKey !== own.ruleKey);
          const rules = new Set(behind.map(({ ruleKey }) => ruleKey)).size;
          const place = firstOutOf(alertsOfFamily, own.alertId, own.at);
          expect(place.follows?.alarmLogId).toBe(others[0]?.alertId);
          expect(place.firstOf).toBe(before.length === 0 && rules > 1 ? rules : null);
        }
      }),
    );
  });

  test("are read in stretches that hold each minute once", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 30 }), (times) => {
        const stretches = minutesAround(times);
        for (const at of times)
          expect(
            stretches.filter(({ from, to }) => from <= at - firstOutWithin && to >= at + firstOutWithin),
          ).toHaveLength(1);
        for (const [index, { from }] of stretches.entries())
          expect(from).toBeGreaterThan(stretches[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
      }),
    );
  });
});
