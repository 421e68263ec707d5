import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice, anUnclaimedDevice } from "../../../test/test-devices.ts";
import { anOwner } from "../../../test/test-people.ts";
import { testPurchases } from "../../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { writeClaim } from "../../devices/claim/claim-queries.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Transactions of this database that wait for another one. */
const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    server.world.db,
  );
  return rows[0]?.count ?? 0;
};

test("a sub-device that is added while its main device's payment is booked has the new end of service, too", async () => {
  const { db, clock } = server.world;
  const shop = testPurchases(server);
  const owner = await anOwner(server.world);
  const main = await aDevice(server.world, owner, { model: Model.mixed });
  const sub = await anUnclaimedDevice(server.world, { model: Model.vibration, deviceType: DeviceType.sub });
  const { paymentId } = await shop.order(owner, main.deviceId);
  const returned = await shop.approve(owner, paymentId);

  const [added, isAwaited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const adding = db.transaction().execute(async (trx) => {
    const { plantId, userId } = owner;
    const { deviceId, deviceSnId } = sub;
    const claim = { deviceId, deviceSnId, deviceName: "Pressure", plantId, userId, now: clock.date() };
    await writeClaim(trx, { ...claim, parentDeviceId: main.deviceId });
    added.resolve();
    await isAwaited.promise;
  });
  await added.promise;
  const paying = shop.settle(owner, returned);
  await expect.poll(waiting).toBe(1);
  isAwaited.resolve();
  await adding;
  const { expireTime } = await paying;
  expect((await shop.rowOf(main.deviceId)).expire_time).toEqual(expireTime);
  expect((await shop.rowOf(sub.deviceId)).expire_time).toEqual(expireTime);
});
