import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import { MessageKind } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createGateway } from "../gateway/gateway.ts";
import { Movement } from "../modules/billing/sms-credit/ledger.ts";
import { systemClock } from "../platform/clock.ts";
import { theChannels } from "../readings/index.ts";
import { pointsOf } from "../telemetry/history/points.ts";
import { firstReadingOf } from "../telemetry/index.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { createTestWorld } from "../test/test-world.ts";
import type { World } from "../world.ts";
import { createDemonstration } from "./create.ts";
import { pastToWrite } from "./past/past-queries.ts";
import { createSimulatedFleet } from "./simulated-fleet.ts";

/** Writes the past of all devices over MQTT, as at the first start of a server. */
const longestPast = 300_000;

const startDemonstration = async () => {
  const world = { ...(await createTestWorld()), clock: systemClock };
  expect(await createDemonstration(world)).toBe(true);
  const begun = (await pastToWrite(world.db)) as Date;
  const telemetry = createTelemetry(world);
  const gateway = createGateway({ ...world, telemetry }, { host: "127.0.0.1", mqttPort: 0 });
  await telemetry.start();
  await gateway.start();
  const fleet = createSimulatedFleet({ ...world, telemetry }, () => `mqtt://127.0.0.1:${gateway.mqttPort()}`);
  fleet.start();
  await vi.waitFor(async () => expect(await pastToWrite(world.db)).toBeUndefined(), {
    timeout: longestPast,
    interval: 500,
  });
  await fleet.stop();
  const close = async () => {
    await gateway.stop();
    await telemetry.stop();
    await world.close();
  };
  return { world: world as World, begun, close };
};

let demonstration: Awaited<ReturnType<typeof startDemonstration>>;
let alerts: PastAlert[];

interface Period {
  from: number;
  to: number;
  settings: ChannelSettings;
}

interface PastAlert {
  channelId: number;
  what: string;
  alarmClass: number;
  type: number;
  value: number;
  threshold: number;
  hysteresis: number | null;
  interval: number;
  created: number;
  accepted: number | null;
  acceptedBy: string | null;
  cleared: number | null;
}

const pastAlerts = async ({ db }: World, begun: Date): Promise<PastAlert[]> => {
  const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);
  const { rows } = await sql<PastAlert>`
    select a.channel_id as "channelId", d.device_name || ' ' || c.channel_name || ' ' || a.created_time as what, a.alarm_class as "alarmClass",
           a.alarm_type as type, a.value, a.threshold, m.alarm_hysteresis as hysteresis, a.report_interval as interval,
           ${ms("a.created_time")} as created, ${ms("a.accept_time")} as accepted, ${ms("a.cleared_time")} as cleared,
           (select u.first_name from accounts s join users u using (user_id) where s.account_id = a.accepted_by and s.plant_id = a.plant_id) as "acceptedBy"
      from alerts a join channels c using (channel_id) join devices d on d.device_id = a.device_id left join alarms m using (alarm_id)
     where a.alarm_class in (${AlertClass.custom}, ${AlertClass.threshold}) and a.created_time < ${begun} order by a.created_time`.execute(
    db,
  );
  return rows;
};

/** The settings periods of a channel, oldest first. */
const periodsOf = async ({ db }: World, channelId: number): Promise<Period[]> =>
  (
    await db
      .selectFrom("settings_periods")
      .select(["start_time", "end_time", "settings"])
      .where("channel_id", "=", channelId)
      .orderBy("start_time")
      .execute()
  ).map(({ start_time, end_time, settings }) => ({
    from: start_time.getTime(),
    to: end_time?.getTime() ?? Number.POSITIVE_INFINITY,
    settings: settings as ChannelSettings,
  }));

const periodAt = async (world: World, channelId: number, ts: number): Promise<ChannelSettings> => {
  const found = (await periodsOf(world, channelId)).filter(({ from, to }) => from <= ts && ts < to);
  expect(found).toHaveLength(1);
  return (found[0] as Period).settings;
};

/** The channel's own limit of a type, with its hysteresis. */
const limitIn = (settings: ChannelSettings, type: number): { limit: number | undefined; hysteresis: number } => {
  if (type === AlertType.high) return { limit: settings.higherAlarm, hysteresis: settings.higherHysteresis ?? 0 };
  if (type === AlertType.low) return { limit: settings.lowerAlarm, hysteresis: settings.lowerHysteresis ?? 0 };
  return { limit: settings.alarmData, hysteresis: 0 };
};

const readingsBetween = async ({ pool }: World, channelId: number, from: number, to: number) =>
  (await pointsOf(pool, channelId, from, to, { page: 1, size: 100_000 })).rows.toReversed();

const isBeyond = (type: number, value: number, limit: number): boolean => {
  if (type === AlertType.low) return value <= limit;
  return type === AlertType.high ? value >= limit : value === limit;
};

beforeAll(async () => {
  demonstration = await startDemonstration();
  alerts = await pastAlerts(demonstration.world, demonstration.begun);
}, longestPast);
afterAll(() => demonstration.close());

test("there is a past to look at", () => {
  expect(alerts.length).toBeGreaterThan(40);
  expect(new Set(alerts.map(({ threshold, channelId }) => `${channelId} ${threshold}`)).size).toBeGreaterThan(7);
});

test("every past alert has the threshold and the report interval of the settings that held then", async () => {
  const { world } = demonstration;
  for (const { what, channelId, alarmClass, type, threshold, interval, created } of alerts) {
    const settings = await periodAt(world, channelId, created);
    expect({ what, interval }).toEqual({ what, interval: settings.reportInterval });
    if (alarmClass === AlertClass.threshold)
      expect({ what, threshold }).toEqual({ what, threshold: limitIn(settings, type).limit });
  }
});

test("every past alert begins with the reading that crosses its threshold, and ends with the one that is back", async () => {
  const { world } = demonstration;
  for (const { what, channelId, type, value, threshold, hysteresis, created, cleared } of alerts) {
    const [before, first] = (await readingsBetween(world, channelId, created - 7_200_000, created)).slice(-2);
    expect({ what, ...first }).toMatchObject({ what, ts: created, value });
    expect({ what, isBeyond: isBeyond(type, value, threshold) }).toEqual({ what, isBeyond: true });
    expect({ what, isBeyond: before && isBeyond(type, before.value, threshold) }).toEqual({ what, isBeyond: false });
    expect({ what, isOver: cleared !== null }).toEqual({ what, isOver: true });
    const [last] = await readingsBetween(world, channelId, cleared ?? 0, cleared ?? 0);
    const own = limitIn(await periodAt(world, channelId, cleared ?? 0), type);
    const back = hysteresis ?? own.hysteresis;
    const limit = type === AlertType.low ? threshold + back : threshold - back;
    expect({ what, isBack: last && !isBeyond(type, last.value, type > AlertType.low ? threshold : limit) }).toEqual({
      what,
      isBack: true,
    });
  }
});

test("most past alerts were confirmed by somebody of the plant, after they came and before they were over", () => {
  const confirmed = alerts.filter(({ accepted }) => accepted !== null);
  expect(confirmed.length).toBeGreaterThan(alerts.length / 2);
  expect(confirmed.length).toBeLessThan(alerts.length);
  for (const { what, created, accepted, acceptedBy, cleared } of confirmed) {
    const isInOrder = Number(accepted) > created && Number(accepted) < (cleared ?? Number.POSITIVE_INFINITY);
    expect({ what, isInOrder, by: acceptedBy }).toEqual({ what, isInOrder: true, by: expect.any(String) });
  }
});

test("a device was added when it was claimed, then heard for the first time, and has no reading from before", async () => {
  const { db, pool } = demonstration.world;
  const rows = await db
    .selectFrom("devices as d")
    .select(["d.device_name", "d.device_id", "d.created_time", "d.claimed_time", "d.first_seen_time"])
    .where("d.plant_id", "is not", null)
    .execute();
  for (const device of rows) {
    const notes = await db
      .selectFrom("alerts")
      .select(["msg", "created_time"])
      .where("device_id", "=", device.device_id)
      .where("alarm_class", "=", AlertClass.notification)
      .orderBy("created_time")
      .execute();
    const first = { msg: "Added to this plant", created_time: device.claimed_time };
    const second = { msg: "Online for the first time", created_time: device.first_seen_time };
    expect(notes.slice(0, 2), device.device_name).toEqual(device.first_seen_time ? [first, second] : [first]);
    expect((device.first_seen_time ?? device.created_time) >= device.created_time, device.device_name).toBe(true);
    const own = await db
      .selectFrom("channels")
      .select("channel_id")
      .where("device_id", "=", device.device_id)
      .execute();
    const earliest = await firstReadingOf(pool, theChannels(own.map((row) => row.channel_id)));
    const begin = Math.floor((device.first_seen_time ?? device.created_time).getTime() / 3_600_000) * 3_600_000;
    expect({ name: device.device_name, isLater: (earliest ?? begin) >= begin }).toEqual({
      name: device.device_name,
      isLater: true,
    });
  }
});

test("a device that was offline in the past has no reading in that time, and had been silent as long as it says", async () => {
  const { db, pool } = demonstration.world;
  const offline = await db
    .selectFrom("alerts as a")
    .innerJoin("devices as d", "d.device_id", "a.device_id")
    .innerJoin("channels as c", "c.device_id", "d.device_id")
    .select(["d.device_name", "d.offline_report", "c.channel_id", "a.created_time", "a.cleared_time", "a.status"])
    .where("a.msg", "like", "Offline%")
    .execute();
  expect(new Set(offline.map(({ device_name }) => device_name)).size).toBeGreaterThan(1);
  const gone = offline.filter(({ status }) => status === AlertStatus.triggered);
  expect(new Set(gone.map(({ device_name }) => device_name))).toEqual(new Set(["Cold store 4"]));
  for (const { device_name, offline_report, channel_id, created_time, cleared_time, status } of offline) {
    const from = created_time.getTime() - offline_report * 60_000 + 1;
    const to = (cleared_time?.getTime() ?? Date.now()) - 20_000;
    const { total } = await pointsOf(pool, channel_id, from, to, { page: 1, size: 1 });
    expect({ device_name, created_time, total }).toEqual({ device_name, created_time, total: 0 });
    expect(status).toBe(cleared_time ? AlertStatus.cleared : AlertStatus.triggered);
  }
});

test("every change of settings stands in the audit log, by somebody of the plant", async () => {
  const { rows } = await sql<{ device_name: string; channel_name: string; start_time: Date; by: number }>`
    select d.device_name, c.channel_name, p.start_time,
           (select count(*)::int from audit_log l join accounts a on a.user_id = l.user_id and a.plant_id = l.plant_id
             where l.action = 'channel.edit' and l.created_time = p.start_time and (l.detail ->> 'deviceId')::int = d.device_id
               and l.detail ->> 'after' like '%' || c.channel_name || '%') as by
      from settings_periods p join channels c using (channel_id) join devices d using (device_id)
     where exists (select from settings_periods e where e.channel_id = p.channel_id and e.end_time = p.start_time)`.execute(
    demonstration.world.db,
  );
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(({ by }) => by !== 1)).toEqual([]);
});

test("each SMS about an alert was charged, and what was charged is gone from the credit", async () => {
  const { db } = demonstration.world;
  const sent = await db.selectFrom("outbox").select("created_time").where("kind", "=", MessageKind.sms).execute();
  const ledger = await db.selectFrom("ledger").selectAll().where("sms", "<>", 0).orderBy("entry_id").execute();
  const used = ledger.filter(({ kind }) => kind === Movement.smsUsed);
  expect(sent.length).toBeGreaterThan(3);
  expect(used.length).toBe(sent.length);
  for (const { plant_id, sms_left } of await db.selectFrom("sms_credit").selectAll().execute()) {
    const own = ledger.filter((entry) => entry.plant_id === plant_id);
    expect(sms_left).toBe(own.reduce((sum, { sms }) => sum + sms, 0));
  }
});

test("a device's service ends when its last paid order says", async () => {
  const { db } = demonstration.world;
  const orders = await db
    .selectFrom("orders as o")
    .innerJoin("devices as d", "d.device_id", "o.device_id")
    .select(["o.service_end", "d.expire_time", "d.pay_time", "o.created_time", "o.captured_time", "d.claimed_time"])
    .execute();
  expect(orders.length).toBeGreaterThan(1);
  for (const { service_end, expire_time, claimed_time, created_time, captured_time } of orders) {
    expect(service_end).toEqual(expire_time);
    expect(claimed_time && claimed_time < created_time && captured_time && created_time < captured_time).toBe(true);
  }
});

/** Columns that may be in the future: ends of services and links, and times of the next try. */
const ahead = ["expire_time", "service_end", "expires_time", "next_time", "ends_time"];

test("nothing has happened in the future", async () => {
  const { db } = demonstration.world;
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'`.execute(
    db,
  );
  for (const { table_name, column_name } of columns) {
    if (ahead.includes(column_name)) continue;
    const { rows } = await sql<{ latest: Date | null }>`
      select max(${sql.ref(column_name)}) as latest from ${sql.table(table_name)}`.execute(db);
    const isAhead = (rows[0]?.latest ?? new Date(0)).getTime() > Date.now() + 1000;
    expect({ table_name, column_name, isAhead }).toEqual({ table_name, column_name, isAhead: false });
  }
});
