import { Key } from "@telltale/contract/channel-types/keys";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertClass, AlertStatus, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { Analog, ReadingStatus } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { readingAt, rewind, stoodAt, wasOffline } from "@telltale/contract/domains/readings/rewind";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ruleKey } from "../../alarms/rules/rule-key.ts";
import { anAlert } from "../../test/test-alerts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner, aViewer } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The last whole hour of the world's clock. */
const lastHour = () => Math.floor(server.world.clock.now() / hour) * hour;

/** A plant with a dashboard of each kind of tile: AI1 with a reading a minute for two hours from four hours ago on, its value the minute. */
const aPlant = async () => {
  const { world } = server;
  const owner = await anOwner(world);
  const station = await aDevice(world, owner, { name: "Station", model: Model.mixed });
  const motor = await aDevice(world, owner, {
    name: "Motor",
    model: Model.motorController,
    deviceType: DeviceType.sub,
    parentDeviceId: station.deviceId,
  });
  const ai1 = Number(station.channels.AI1);
  const phase = Number(motor.channels["I A"]);
  const dashboardId = await aDashboard(world, owner, {
    isDefault: true,
    channels: [ai1],
    groups: [{ deviceId: motor.deviceId, name: "Currents", icon: Analog.speed, channels: [phase] }],
    devices: [motor.deviceId],
  });
  const begin = lastHour() - 4 * hour;
  await writeReadings(
    world,
    ai1,
    Array.from({ length: 120 }, (_, at): [number, number] => [begin + at * minute, at]),
  );
  return { owner, station, motor, ai1, phase, dashboardId, begin };
};

const windowOf = (from: number, to: number) => ({ from: new Date(from), to: new Date(to) });

describe("a rewound dashboard", () => {
  test("has the tiles in order with their channels, and no current values", async () => {
    const { owner, ai1, phase, motor, begin } = await aPlant();
    const { tiles, channels } = await server.as(owner)(rewind.window, windowOf(begin, begin + hour));
    expect(tiles).toMatchObject([
      { kind: TileKind.channel, deviceChannelId: ai1, value: null, modbusChannels: [] },
      { kind: TileKind.group, groupName: "Currents", modbusChannels: [{ deviceChannelId: phase, value: null }] },
      { kind: TileKind.modbus, deviceName: "Motor" },
    ]);
    expect(tiles[2]?.modbusChannels).toHaveLength(Object.keys(motor.channels).length);
    expect(channels).toHaveLength(1 + Object.keys(motor.channels).length);
  });

  test.each([
    ["an hour", hour, minute],
    ["a day", day, minute],
    ["a week", 7 * day, 10 * minute],
    ["thirty days", 30 * day, 30 * minute],
    ["the longest", 31 * day, 60 * minute],
  ])("of %s has at most 1,441 moments, at whole steps, the last one now", async (_, length, step) => {
    const { owner } = await aPlant();
    const now = server.world.clock.now();
    const rewound = await server.as(owner)(rewind.window, windowOf(now - length, now));
    expect(rewound.step).toBe(step);
    expect(rewound.from % step).toBe(0);
    expect(rewound.moments).toBeLessThanOrEqual(1_441);
    const last = rewound.from + (rewound.moments - 1) * step;
    expect([last <= now, last > now - step]).toEqual([true, true]);
    expect(rewound.channels[0]?.values).toHaveLength(rewound.moments);
  });

  test("begins with the reading before the window, packed or not, and says when the history begins", async () => {
    const { owner, ai1, begin } = await aPlant();
    const later = begin + 3 * hour;
    const ask = () => server.as(owner)(rewind.window, windowOf(later - hour / 2, later));
    for (const isPacked of [false, true]) {
      if (isPacked) await packRange(server.world.pool, 0, later / hour, server.world.clock.now());
      const rewound = await ask();
      const [channel] = rewound.channels;
      expect(rewound.beginning).toEqual(new Date(begin));
      expect(channel?.deviceChannelId).toBe(ai1);
      expect(channel && readingAt(channel, rewound, 0)).toEqual({
        value: 119,
        status: ReadingStatus.good,
        updateTime: new Date(begin + 119 * minute),
      });
    }
  });

  test("has no data before the first reading, and no moments in the future", async () => {
    const { owner, begin } = await aPlant();
    const before = await server.as(owner)(rewind.window, windowOf(begin - hour, begin - minute));
    expect(before.channels[0]?.values.every((value) => value === null)).toBe(true);
    expect(before.channels[0]?.statuses.every((status) => status === ReadingStatus.noData)).toBe(true);
    const now = server.world.clock.now();
    const after = await server.as(owner)(rewind.window, windowOf(now + hour, now + 2 * hour));
    expect(after).toMatchObject({ moments: 0, channels: [] });
  });

  test("shows an alert as it stood: raised, confirmed by whom, silent, cleared", async () => {
    const { owner, station, ai1 } = await aPlant();
    const { world } = server;
    const id = await anAlert(world, owner, { deviceId: station.deviceId, channelId: ai1, ago: 90, value: 85 });
    const as = server.as(owner);
    await as(silences.add, { alarmLogId: id, kind: SilenceKind.shelf, minutes: 60, reason: "Pump is cleaned" });
    const now = world.clock.now();
    const stood = async (ago: number) => {
      const { alerts: all } = await as(rewind.window, windowOf(now - 3 * hour, now + minute));
      return stoodAt(all, now - ago).map(({ alert, isConfirmed, isSilent }) => [
        alert.alarmLogId,
        isConfirmed && alert.acceptName,
        isSilent,
      ]);
    };
    expect(await stood(91 * minute)).toEqual([]);
    expect(await stood(60 * minute)).toEqual([[id, false, false]]);
    expect(await stood(-minute / 60)).toEqual([[id, false, true]]);
    expect(await as(alerts.unconfirmed)).toEqual([]);
    await as(alerts.confirm, { alarmLogId: id });
    expect(await stood(-minute / 60)).toEqual([[id, expect.any(String), true]]);
  });

  test("is judged by the report interval and the sensor range of each time, also while its device is not heard", async () => {
    const { owner, station, ai1 } = await aPlant();
    const { clock } = server.world;
    clock.pass(10 * minute);
    const channelKeys = { [Key.reportInterval]: 900, [Key.staticData]: 900, [Key.span]: 200 };
    const payload = [{ channelId: ai1, channelKeys }];
    await server.as(owner)(channelSettings.modify, { deviceId: station.deviceId, payload });
    const startTime = clock.date();
    clock.pass(10 * minute);
    const { tiles, channels } = await server.as(owner)(rewind.window, windowOf(clock.now() - day, clock.now()));
    expect(tiles[0], "it has never been heard").toMatchObject({ deviceChannelId: ai1, sensorRange: null });
    expect(channels[0]?.periods).toMatchObject([
      { startTime: null, reportWithin: 600, sensorRange: { zero: 0, span: 100 } },
      { startTime, reportWithin: 900, sensorRange: { zero: 0, span: 200 } },
    ]);
  });

  test("tells when its devices were not heard", async () => {
    const { owner, station, motor } = await aPlant();
    const { db, clock } = server.world;
    const now = clock.now();
    await db
      .insertInto("alerts")
      .values({
        ...{ plant_id: owner.plantId, device_id: station.deviceId, status: AlertStatus.cleared },
        ...{ alarm_class: AlertClass.notification, alarm_type: AlertType.system },
        ...{ created_time: new Date(now - 2 * hour), cleared_time: new Date(now - hour) },
        rule_key: ruleKey.notification(station.deviceId, "offline"),
      })
      .execute();
    const rewound = await server.as(owner)(rewind.window, windowOf(now - day, now));
    const stationWasOffline = (ago: number) => wasOffline(rewound, station.deviceId, now - ago);
    expect([121, 119, 61, 59].map((ago) => stationWasOffline(ago * minute))).toEqual([false, true, true, false]);
    expect(wasOffline(rewound, motor.deviceId, now - 90 * minute)).toBe(false);
  });

  test("of a viewer is its own dashboard, with the alerts of its devices", async () => {
    const { owner, dashboardId, station, begin } = await aPlant();
    const { world } = server;
    const other = await aDevice(world, owner, { name: "Other" });
    const own = await aDashboard(world, owner, { channels: [Number(other.channels.AI2)] });
    const viewer = server.as(await aViewer(world, owner, own));
    const hidden = await anAlert(world, owner, { deviceId: station.deviceId, ago: 10 });
    const seen = await anAlert(world, owner, { deviceId: other.deviceId, ago: 10 });
    const range = windowOf(begin, world.clock.now());
    const rewound = await viewer(rewind.window, range);
    expect(rewound.tiles.map(({ deviceName }) => deviceName)).toEqual(["Other"]);
    expect(rewound.alerts.map(({ alarmLogId }) => alarmLogId)).toEqual([seen]);
    expect((await server.as(owner)(rewind.window, range)).alerts.map(({ alarmLogId }) => alarmLogId)).toContain(hidden);
    await expect(viewer(rewind.window, { ...range, dashboardId })).rejects.toMatchObject({ code: 404 });
  });

  test("of a dashboard that is gone does not exist; without any dashboard there are the alerts", async () => {
    const { owner, dashboardId, begin } = await aPlant();
    const second = await aDashboard(server.world, owner, { name: "Second" });
    const range = windowOf(begin, begin + hour);
    await server.as(owner)(dashboards.remove, { dashboardId: second });
    await expect(server.as(owner)(rewind.window, { ...range, dashboardId: second })).rejects.toMatchObject({
      code: 404,
    });
    const stranger = server.as(await anOwner(server.world));
    expect(await stranger(rewind.window, range)).toMatchObject({ tiles: [], channels: [], total: 0, beginning: null });
    await expect(stranger(rewind.window, { ...range, dashboardId })).rejects.toMatchObject({ code: 404 });
  });

  test.each([
    ["ends before it begins", -minute, "To is before From"],
    ["is longer than a month", 31 * day + 1, "To is more than 31 days after From"],
  ])("whose window %s is refused, naming the field", async (_, length, message) => {
    const owner = await anOwner(server.world);
    const from = server.world.clock.now() - 40 * day;
    await expect(server.as(owner)(rewind.window, windowOf(from, from + length))).rejects.toMatchObject({
      code: 422,
      message,
    });
  });
});
