import { Key } from "@telltale/contract/channel-types/keys";
import { AlertClass, AlertStatus, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { type LogGroup, ReadingStatus } from "@telltale/contract/domains/channels";
import { Model } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import { periodAt, type RewoundChannel, readingAt, rewind, stoodAt } from "@telltale/contract/domains/readings/rewind";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The window; before it lies an hour with readings. */
const window = { from: Date.parse("2026-01-01T00:00:00.000Z"), to: Date.parse("2026-01-02T00:00:00.000Z") };
const start = window.from - hour;
const codes = ["AI1", "AI2", "AI3", "DI1", "TEMP"];

interface GeneratedChannel {
  /** Seconds between two readings, when they begin and end, and a gap; fractions of the time. */
  interval: number;
  begin: number;
  gap: [from: number, length: number];
  /** Changes of the settings, fractions of the time. */
  changes: { at: number; unit: string; higherAlarm?: number | undefined }[];
}

interface GeneratedAlert {
  device: number;
  channel: number | undefined;
  begin: number;
  confirmedAfter: number | undefined;
  clearedAfter: number | undefined;
  isOffline: boolean;
}

const fraction = fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000);
const aChannel: fc.Arbitrary<GeneratedChannel> = fc.record({
  interval: fc.constantFrom(10, 30, 60, 300, 7_000),
  begin: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fraction),
  gap: fc.tuple(
    fraction,
    fraction.map((part) => part / 5),
  ),
  changes: fc.array(
    fc.record({
      at: fraction,
      unit: fc.constantFrom("bar", "psi"),
      higherAlarm: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
});
const anAlert: fc.Arbitrary<GeneratedAlert> = fc.record({
  device: fc.integer({ min: 0, max: 1 }),
  channel: fc.option(fc.integer({ min: 0, max: codes.length - 1 }), { nil: undefined }),
  begin: fraction,
  confirmedAfter: fc.option(fraction, { nil: undefined }),
  clearedAfter: fc.option(fraction, { nil: undefined }),
  isOffline: fc.boolean(),
});
const aPlant = fc.record({
  channels: fc.array(aChannel, { minLength: 2 * codes.length, maxLength: 2 * codes.length }),
  alerts: fc.array(anAlert, { minLength: 20, maxLength: 60 }),
  /** Milliseconds by which readings come off their interval, and their values and statuses. */
  noise: fc.array(fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: -4_000, max: 9_000 }), fc.nat(9)), {
    minLength: 200,
    maxLength: 200,
  }),
  /** Hour from which on nothing is packed, and a late reading that came after packing. */
  packedUntil: fc.integer({ min: 18, max: 23 }),
  asked: fc.array(fc.tuple(fc.nat(1_440), fc.nat(2 * codes.length - 1)), { minLength: 1_000, maxLength: 1_000 }),
});
type GeneratedPlant = typeof aPlant extends fc.Arbitrary<infer P> ? P : never;

const timeAt = (part: number): number => Math.floor((start + part * (window.to - start)) / second) * second;

const writeSettings = async (channelId: number, { changes }: GeneratedChannel) => {
  const { db } = server.world;
  const ofChannel = db.selectFrom("settings_periods").selectAll().where("channel_id", "=", channelId);
  const { settings: first } = await ofChannel.executeTakeFirstOrThrow();
  const times = [...new Map(changes.map((change) => [timeAt(change.at), change])).entries()].sort(([a], [b]) => a - b);
  const all = [[start + 10 * minute, undefined] as const, ...times.filter(([at]) => at > start + 10 * minute)];
  await db.deleteFrom("settings_periods").where("channel_id", "=", channelId).execute();
  await db
    .insertInto("settings_periods")
    .values(
      all.map(([at, change], index) => {
        const next = all[index + 1]?.[0];
        const { at: _, ...changed } = change ?? {};
        const settings = JSON.stringify({ ...(first as object), ...changed });
        return {
          channel_id: channelId,
          start_time: new Date(at),
          end_time: next === undefined ? null : new Date(next),
          settings,
        };
      }),
    )
    .execute();
};

const readingsOf = ({ interval, begin, gap }: GeneratedChannel, noise: GeneratedPlant["noise"], index: number) => {
  const [gapFrom, gapTo] = [timeAt(gap[0]), timeAt(gap[0] + gap[1])];
  const readings: [number, number, number][] = [];
  for (let ts = timeAt(begin), n = index * 7; ts <= window.to; ts += interval * second, n += 1) {
    const [late, value, kind] = noise[n % noise.length] ?? [0, 0, 0];
    if (ts >= gapFrom && ts < gapTo) continue;
    // Every tenth reading comes with another one of the same time.
    const status = kind === 0 ? ReadingStatus.noData : kind < 3 ? ReadingStatus.alarm : ReadingStatus.good;
    const at = kind % 2 === 0 ? ts : ts + late;
    readings.push([at, value / 100, status]);
    if (kind === 9) readings.push([at, value / 1_000, ReadingStatus.good]);
  }
  return readings;
};

const writeAlert = async (owner: Person, devices: readonly TestDevice[], alert: GeneratedAlert, index: number) => {
  const device = devices[alert.device];
  if (!device) return;
  const created = timeAt(alert.begin);
  const later = (part: number | undefined) => (part === undefined ? null : new Date(timeAt(alert.begin + part / 3)));
  const [accepted, cleared] = [later(alert.confirmedAfter), later(alert.clearedAfter)];
  // One alert of a rule is open at a time, and its occurrences differ in time.
  const isOffline = alert.isOffline && cleared !== null;
  const code = codes[alert.channel ?? -1];
  await server.world.db
    .insertInto("alerts")
    .values({
      plant_id: owner.plantId,
      device_id: device.deviceId,
      channel_id: isOffline || code === undefined ? null : Number(device.channels[code]),
      alarm_class: isOffline ? AlertClass.notification : AlertClass.custom,
      alarm_type: isOffline ? AlertType.system : AlertType.high,
      status: cleared ? AlertStatus.cleared : accepted ? AlertStatus.confirmed : AlertStatus.triggered,
      value: 12,
      threshold: 10,
      created_time: new Date(created),
      accept_time: accepted,
      accepted_by: accepted ? owner.accountId : null,
      cleared_time: cleared,
      rule_key: isOffline ? `${AlertClass.notification}:${device.deviceId}:offline` : `generated ${index}`,
    })
    .execute();
};

const builtPlant = async (plant: GeneratedPlant) => {
  const { world } = server;
  const owner = await anOwner(world);
  const devices = [
    await aDevice(world, owner, { model: Model.mixed }),
    await aDevice(world, owner, { model: Model.mixed }),
  ];
  const channelIds = devices.flatMap((device) => codes.map((code) => Number(device.channels[code])));
  for (const [index, channelId] of channelIds.entries()) {
    const channel = plant.channels[index];
    if (!channel) continue;
    await writeSettings(channelId, channel);
    await writeReadings(world, channelId, readingsOf(channel, plant.noise, index));
  }
  await packRange(world.pool, 0, Math.floor(window.from / hour) + plant.packedUntil, window.to);
  for (const channelId of channelIds.slice(0, 3))
    await writeReadings(world, channelId, [[window.from + 5 * hour + 7 * minute + 1, 50, ReadingStatus.good]]);
  for (const [index, alert] of plant.alerts.entries()) await writeAlert(owner, devices, alert, index);
  const dashboardId = await aDashboard(world, owner, { channels: channelIds });
  return { owner, devices, channelIds, dashboardId };
};

const limitsOf = (period: LogGroup | undefined, isSwitch: boolean) => {
  const settings = new Map(period?.channelSettingChangeDto.map(({ name, val }) => [name, val]));
  const named: [AlertType, string][] = isSwitch
    ? [[AlertType.digitalInput, Key.alarmData]]
    : [
        [AlertType.low, Key.lowerAlarm],
        [AlertType.high, Key.higherAlarm],
      ];
  return named.flatMap(([alarmType, key]) => {
    const setpoint = settings.get(key);
    return setpoint === undefined ? [] : [{ alarmType, setpoint }];
  });
};

/** Three thousand calls, milliseconds. */
const patience = 180_000;

test("each of 1,000 minutes has the values, limits and alerts that lists, settings periods and log tell of it", {
  timeout: patience,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const [plant] = fc.sample(aPlant, { numRuns: 1, seed });
  if (!plant) throw new Error("No plant was generated");
  const { owner, devices, channelIds, dashboardId } = await builtPlant(plant);
  const as = server.as(owner);
  const [from, to] = [new Date(window.from), new Date(window.to)];
  const rewound = await as(rewind.window, { dashboardId, from, to });
  expect(rewound).toMatchObject({ from: window.from, step: minute, moments: 1_441 });
  const channelOf = new Map<number, RewoundChannel>(rewound.channels.map((each) => [each.deviceChannelId, each]));
  const offline = await server.world.db
    .selectFrom("alerts")
    .select(["device_id", "created_time", "cleared_time"])
    .where("rule_key", "like", "%:offline")
    .execute();

  const checkMinute = async ([index, place]: [number, number]) => {
    const at = window.from + index * minute;
    const moment = new Date(at);
    const channelId = channelIds[place] ?? 0;
    const device = devices[Math.floor(place / codes.length)];
    const channel = channelOf.get(channelId);
    if (!channel) throw new Error("A channel is missing");
    const [list, periods, log] = await Promise.all([
      as(history.points, { channelId, endTime: moment, size: 1 }),
      as(history.periods, { channelId, startTime: moment, endTime: moment, size: 1 }),
      as(alerts.log, { createdEndTime: moment, size: 200 }),
    ]);
    const [newest] = list.data;
    const isOffline = offline.some(
      (span) =>
        span.device_id === device?.deviceId &&
        span.created_time <= moment &&
        (span.cleared_time === null || span.cleared_time > moment),
    );
    const told = {
      value: newest?.value ?? null,
      status: !newest || isOffline ? ReadingStatus.noData : newest.status,
      minutes: newest ? Math.floor((at - newest.deviceTimestamp.getTime()) / minute) : null,
    };
    const { value, status, updateTime } = readingAt(channel, rewound, index);
    const minutes = updateTime && (at - updateTime.getTime()) / minute;
    expect({ seed, channelId, moment, value, status, minutes }).toEqual({ seed, channelId, moment, ...told });

    const period = periods.data[0];
    const isSwitch = codes[place % codes.length] === "DI1";
    if (period) expect(periodAt(channel, at)?.limits).toEqual(limitsOf(period, isSwitch));

    const stood = stoodAt(rewound.alerts, at).map(({ alert, isConfirmed }) => [
      alert.alarmLogId,
      isConfirmed ? [alert.acceptTime, alert.acceptName] : null,
    ]);
    const standing = log.data
      .filter(({ modifiedTime }) => modifiedTime === null || modifiedTime > moment)
      .map(({ alarmLogId, acceptTime, acceptName }) => [
        alarmLogId,
        acceptTime && acceptTime <= moment ? [acceptTime, acceptName] : null,
      ]);
    expect(stood).toEqual(standing);
  };
  for (let at = 0; at < plant.asked.length; at += 8) await Promise.all(plant.asked.slice(at, at + 8).map(checkMinute));
});
