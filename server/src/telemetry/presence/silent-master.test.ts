import { topics } from "@telltale/contract/device-api";
import { DeviceType } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createSilenceEnds } from "../../alarms/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import type { TestDevice } from "../../test/test-devices.ts";
import { createTelemetry } from "../telemetry.ts";

const minute = 60_000;

let world: DeviceWorld;
let master: TestDevice;
let subs: number[];
let ends: ReturnType<typeof createSilenceEnds>;
let watch: ReturnType<typeof createTelemetry>;

beforeEach(async () => {
  world = await createDeviceWorld();
  ends = createSilenceEnds({ ...world, metrics: new Registry() });
  watch = createTelemetry({ ...world, metrics: new Registry() });
  master = await world.device({ name: "Yard gateway" });
  subs = [];
});
afterEach(() => world.close());

/** Adds sub-devices that were heard so long ago, in milliseconds, and have a recipient for their offline alerts, like the master. */
const withSubDevices = async (count: number, heardAgo: (index: number) => number = () => 0) => {
  const { db, pool, plantId, clock } = world;
  const sub = { deviceType: DeviceType.sub, parentDeviceId: master.deviceId };
  for (let index = 0; index < Math.min(count, 3); index += 1) subs.push((await world.device(sub)).deviceId);
  // The rest are copies, which is faster than adding each.
  const [first] = subs;
  if (count > subs.length) {
    const { rows: columns } = await pool.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_name = 'devices' and is_generated = 'NEVER'
          and column_name not in ('device_id', 'device_sn_id', 'access_token')`,
    );
    const copied = columns.map(({ column_name }) => column_name).join(", ");
    const { rows } = await pool.query<{ device_id: number }>(
      `insert into devices (device_sn_id, access_token, ${copied}) select 'COPY' || i, 'copy-token-' || i, ${copied}
         from devices, generate_series(1, ${count - subs.length}) i where device_id = $1 returning device_id`,
      [first],
    );
    subs.push(...rows.map((row) => row.device_id));
  }
  for (const [index, deviceId] of subs.entries())
    await db
      .updateTable("devices")
      .set({
        is_online: true,
        first_seen_time: clock.date(),
        last_seen_time: new Date(clock.now() - heardAgo(index)),
        offline_report: 30,
      })
      .where("device_id", "=", deviceId)
      .execute();
  await pool.query(
    `with rules as (insert into alarms (plant_id, alarm_name, alarm_class, device_id, created_time)
       select $1, 'Events', 4, id, now() from unnest($2::int[]) id returning alarm_id),
     contact as (insert into contacts (plant_id, type, first_name, last_name, contact_info, status, stop_key, created_time)
       select $1, 1, 'Nora', 'Berg', 'nora@example.test', 1, gen_random_uuid()::text, now() where not exists (select from contacts) returning contact_id)
     insert into alarm_recipients (alarm_id, contact_id) select alarm_id, contact_id from rules, contact`,
    [plantId, [master.deviceId, ...subs]],
  );
};
const report = async () => {
  const client = await world.mqtt(master.accessToken);
  await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: 5 }), { qos: 1 });
  await client.endAsync();
};
const hear = (deviceId: number) =>
  world.db
    .updateTable("devices")
    .set({ last_seen_time: world.clock.date() })
    .where("device_id", "=", deviceId)
    .execute();
/** The world's own watch runs by real time, too, to which a minute of the test is a stall: another server judges. */
const check = async () => {
  await world.telemetry.offlineWatch.run();
  await watch.offlineWatch.run();
};
const told = async () => {
  const rows = await world.db.selectFrom("outbox").select("body").orderBy("message_id").execute();
  return rows
    .map(({ body }) => (body as { alert: { msg: string } }).alert.msg)
    .filter((msg) => msg.startsWith("Offline"));
};
const standing = async () =>
  (await world.db.selectFrom("alerts").select("device_id").where("cleared_time", "is", null).execute()).length;
/** Lets time pass in steps of the check and the job of ends. */
const passBy = async (minutes: number, each = 1) => {
  for (let passed = 0; passed < minutes; passed += each) {
    world.clock.pass(each * minute);
    await check();
    await ends.run();
  }
};

test("a master with 500 sub-devices is lost: one message, 501 entries", async () => {
  await report();
  await check();
  // Each was heard at another time; most are judged before the master is.
  await withSubDevices(500, (index) => (index % 10) * minute);
  await passBy(40);
  expect(await standing()).toBe(501);
  expect(await told()).toEqual(["Offline for 30 minutes"]);
});

test("after its return those are notified of that are silent one offline time later, each once", async () => {
  await report();
  await check();
  await withSubDevices(3);
  await passBy(35, 5);
  expect(await told()).toHaveLength(1);
  const announced = new Set<number>();
  onTestFinished(
    world.bus.on("live", ({ message }) => {
      if (message.cmd === LiveCommand.alertChange) announced.add(message.deviceId);
    }),
  );
  await report();
  await check();
  await world.db
    .updateTable("alerts")
    .set({ cleared_time: world.clock.date(), status: 3 })
    .where("device_id", "=", Number(subs[0]))
    .execute();
  for (let passed = 0; passed < 29; passed += 1) {
    await passBy(1);
    await report();
  }
  expect(announced, "until when they are silent is known now, and shown").toEqual(new Set([master.deviceId, ...subs]));
  expect(await told()).toHaveLength(1);
  await passBy(2);
  await Promise.all([ends.run(), createSilenceEnds({ ...world, metrics: new Registry() }).run()]);
  await passBy(20, 10);
  expect(await told()).toHaveLength(3);
});

test("a master that is lost again before that is waited for anew, also by another server", async () => {
  await report();
  await check();
  await withSubDevices(3);
  await passBy(35, 5);
  await report();
  await check();
  const restarted = createTelemetry({ ...world, metrics: new Registry() });
  for (let passed = 0; passed < 70; passed += 1) {
    world.clock.pass(minute);
    await restarted.offlineWatch.run();
    await check();
    await ends.run();
  }
  await restarted.stop();
  // The master twice.
  expect(await told()).toHaveLength(2);
});

test("a sub-device that falls silent alone is notified of at once", async () => {
  await report();
  await check();
  await withSubDevices(3);
  for (let passed = 0; passed < 31; passed += 1) {
    await passBy(1);
    await report();
    await hear(Number(subs[1]));
    await hear(Number(subs[2]));
  }
  await check();
  expect(await told()).toEqual(["Offline for 30 minutes"]);
  expect(await standing()).toBe(1);
});

test("a master that was never heard suppresses nothing", async () => {
  await withSubDevices(2);
  await passBy(35, 5);
  expect(await told()).toHaveLength(2);
});
