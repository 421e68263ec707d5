import { sms } from "@telltale/contract/domains/billing";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { DeviceStatus, DeviceType, devices, Model } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { registration } from "@telltale/contract/domains/people/registration";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { applyMigrations, knownMigrations, migrate } from "../../platform/database/migrate.ts";
import { createEmptyDatabase } from "../../platform/database/test-database.ts";
import { anUnclaimedDevice, type TestDevice } from "../../test/test-devices.ts";
import { linkTo } from "../../test/test-mail.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { type TestPurchases, testPurchases } from "../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { signIn } from "../accounts/sign-in/sign-in.ts";
import { saveCapture } from "../billing/orders/capture.ts";

let server: TestServer;
let purchases: TestPurchases;
let owner: Person;
let unit: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
  purchases = testPurchases(server);
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  unit = await anUnclaimedDevice(server.world, { model: Model.mixed });
});
afterAll(() => server.close());

type SignedIn = Pick<Person, "token">;

const day = 86_400_000;
const claim = (person: SignedIn, { deviceSnId }: TestDevice, more = {}) =>
  server.as(person)(devices.add, { deviceSnId, deviceName: "Boiler", ...more });
const remove = async (person: SignedIn, deviceId: number) =>
  server.as(person)(deviceConfiguration.remove, { deviceId });
const shown = async (person: SignedIn, deviceId: number) =>
  (await server.as(person)(devices.detail, { deviceId })).device;
const leftSms = async (person: SignedIn) => (await server.as(person)(sms.left, {})).leftSms;

/** Signs in again after a number of days. */
const after = (days: number, { userId, accountId }: Person) => {
  server.world.clock.pass(days * day);
  const visitor = { address: "192.0.2.1", userAgent: "test" };
  return signIn(server.world.db, server.world.clock.date(), visitor, { userId, accountId });
};

test("a unit that is deleted and added again keeps the end of its service, in the same plant and in another", async () => {
  const first = await claim(owner, unit);
  const { expireTime } = await shown(owner, first.deviceId);
  const later = await after(200, owner);
  await remove(later, first.deviceId);
  const again = await claim(later, unit);
  expect((await shown(later, again.deviceId)).expireTime).toEqual(expireTime);
  await remove(await after(200, owner), again.deviceId);
  const stranger = await anOwner(server.world);
  const bought = await claim(stranger, unit);
  expect((await shown(stranger, bought.deviceId)).expireTime).toEqual(expireTime);
  await server.world.db
    .updateTable("devices")
    .set({ last_seen_time: server.world.clock.date(), first_seen_time: server.world.clock.date(), is_online: true })
    .where("device_id", "=", bought.deviceId)
    .execute();
  expect((await server.as(stranger)(devices.list)).data).toMatchObject([{ status: DeviceStatus.paymentDue }]);
});

test("a service that was paid goes with its unit, and so does the report interval limit of its package", async () => {
  const first = await claim(owner, unit);
  const { paid } = await purchases.buy(owner, first.deviceId, { packageId: 1, storageSpace: 1, year: 3 });
  await remove(owner, first.deviceId);
  const { deviceId } = await claim(owner, unit);
  expect((await shown(owner, deviceId)).expireTime).toEqual(paid.expireTime);
  await expect(server.as(owner)(deviceConfiguration.update, { deviceId, periodicity: 10 })).rejects.toMatchObject({
    code: 422,
  });
});

test("a sub-device has its master's service and the limit of its master's package, whatever it had elsewhere", async () => {
  const { deviceId } = await claim(owner, unit);
  const { paid } = await purchases.buy(owner, deviceId);
  const sub = await anUnclaimedDevice(server.world, { deviceType: DeviceType.sub, model: Model.vibration });
  for (let i = 0; i < 2; i += 1) {
    const added = await claim(owner, sub, { parentDeviceId: deviceId });
    const row = await purchases.rowOf(added.deviceId);
    expect(row).toMatchObject({ expire_time: paid.expireTime, report_interval_limit: 60 });
    await remove(owner, added.deviceId);
  }
});

test("a payment that is taken while its device is deleted extends the service of the unit", async () => {
  const { deviceId } = await claim(owner, unit);
  const { orderSn } = await purchases.order(owner, deviceId);
  const before = (await shown(owner, deviceId)).expireTime;
  await remove(owner, deviceId);
  const { order_id } = await purchases.orderRow(orderSn);
  const capture = { captureId: `capture ${order_id}`, payerId: "payer", userId: null, now: server.world.clock.date() };
  await saveCapture(server.world.db, order_id, capture);
  const stranger = await anOwner(server.world);
  const bought = await claim(stranger, unit);
  const after = (await shown(stranger, bought.deviceId)).expireTime;
  expect([365, 366]).toContain((Number(after) - Number(before)) / day);
});

test("nothing that its owner has set of a unit passes on to the next", async () => {
  const { deviceId } = await claim(owner, unit);
  await server.as(owner)(deviceConfiguration.update, {
    deviceId,
    deviceName: "Secret project",
    periodicity: 300,
    offlineReport: 99,
  });
  await server.world.db
    .updateTable("devices")
    .set({ temperature: 21, humidity: 40, power: 3, wakeup_mode: "motion" })
    .where("device_id", "=", deviceId)
    .execute();
  await remove(owner, deviceId);
  const row = await server.world.db
    .selectFrom("devices")
    .selectAll()
    .where("device_sn_id", "=", unit.deviceSnId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ device_name: "", periodicity: 60, offline_report: 30, claimed_time: null, version: 1 });
  expect([row.temperature, row.humidity, row.power, row.wakeup_mode, row.last_seen_time]).toEqual(Array(5).fill(null));
});

test("SMS to begin with come once with a new unit, not with every plant that is opened for it", async () => {
  const opened = await server.as(owner)(accounts.openAccount, { deviceSnId: unit.deviceSnId });
  expect(await leftSms(opened)).toBe(0);
  const { deviceId } = await claim(opened, unit);
  expect(await leftSms(opened)).toBe(25);
  await remove(opened, deviceId);
  const again = await server.as(owner)(accounts.openAccount, { deviceSnId: unit.deviceSnId });
  expect(again.accountId, "the account that was opened for the unit before").toBe(opened.accountId);
  await claim(again, unit);
  expect(await leftSms(again)).toBe(25);
  const second = await anUnclaimedDevice(server.world);
  await claim(again, second);
  expect(await leftSms(again)).toBe(25);
});

test("who registers with a used unit gets it as it is, without SMS to begin with", async () => {
  const { deviceId } = await claim(owner, unit);
  const { expireTime } = await shown(owner, deviceId);
  await remove(owner, deviceId);
  server.world.clock.pass(30 * day);
  const [email, password] = ["used.unit@example.test", "a long enough phrase"];
  await server.as()(registration.register, { email, telltaleId: unit.deviceSnId, password });
  await server.as()(registration.confirm, await linkTo(server.world, email));
  const person = await server.as()(accounts.login, { email, password });
  expect((await server.as(person)(devices.list)).data).toMatchObject([{ expireTime }]);
  expect(await leftSms(person)).toBe(0);
});

test("a registration whose unit was added and deleted meanwhile is completed with it", async () => {
  const [email, password] = ["slow@example.test", "a long enough phrase"];
  await server.as()(registration.register, { email, telltaleId: unit.deviceSnId, password });
  const { deviceId } = await claim(owner, unit);
  await remove(owner, deviceId);
  await server.world.pool.query("DELETE FROM deleted_devices WHERE device_id = $1", [deviceId]);
  await server.as()(registration.confirm, await linkTo(server.world, email));
  const person = await server.as()(accounts.login, { email, password });
  expect((await server.as(person)(devices.list)).data).toMatchObject([{ deviceName: unit.deviceSn }]);
});

test("units that were free again before the service went with them have what the audit log and the orders say", async () => {
  const database = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const names = await knownMigrations();
    await client.query("BEGIN");
    await applyMigrations(client, names.slice(0, names.indexOf("0029-used-units.sql")));
    await client.query(
      `INSERT INTO devices (device_sn_id, device_sn, access_token, type_id, device_type, created_time)
       SELECT id, 'AIS', id, 1, 1, '2024-01-01Z' FROM unnest(ARRAY['NEW', 'USED', 'PAID']) AS id`,
    );
    await client.query(
      `INSERT INTO audit_log (plant_id, action, detail, created_time)
       SELECT 1, 'device.add', jsonb_build_object('deviceId', 1, 'deviceSnId', id), time::timestamptz
         FROM (VALUES ('USED', '2024-02-01Z'), ('USED', '2025-06-01Z'), ('PAID', '2024-02-01Z')) AS adds (id, time)`,
    );
    await client.query("INSERT INTO plants (plant_id, name, created_time) VALUES (1, 'Plant', '2024-01-01Z')");
    await client.query(
      `INSERT INTO orders (order_sn, plant_id, device_id, device_name, device_sn_id, package_id, report_interval_limit, storage_space, years,
                           amount_cents, currency, status, capture_id, created_time, captured_time, service_end)
       VALUES ('1', 1, 77, 'Boiler', 'PAID', 2, 10, 2, 3, 100, 'USD', 'captured', 'c', '2024-05-01Z', '2024-05-01Z', '2028-02-01Z')`,
    );
    await client.query("COMMIT");
    await migrate(database.url);
    const { rows } = await client.query(
      "SELECT device_sn_id, is_used, expire_time, report_interval_limit FROM devices ORDER BY device_id",
    );
    expect(rows).toEqual([
      { device_sn_id: "NEW", is_used: false, expire_time: null, report_interval_limit: 1 },
      { device_sn_id: "USED", is_used: true, expire_time: new Date("2025-02-01Z"), report_interval_limit: 1 },
      { device_sn_id: "PAID", is_used: true, expire_time: new Date("2028-02-01Z"), report_interval_limit: 10 },
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});
