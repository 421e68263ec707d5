import { topics } from "@telltale/contract/device-api";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { changedVersion } from "../../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import type { TestDevice } from "../../test/test-devices.ts";

describe("the writer's lanes", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const start = 1_763_700_000_000;
  const moments = 50;
  const storedOf = async (device: TestDevice) => (await world.readings(device, "AI1")).length;

  it("hold all readings during exclusive work, run such work one after the other, and then write the readings", async () => {
    // Adjacent ids are in different lanes.
    const devices = [await world.device(), await world.device()];
    const clients = await Promise.all(devices.map((device) => world.mqtt(device.accessToken)));
    const publish = (client: (typeof clients)[number], second: number) =>
      client.publishAsync(topics.telemetry, JSON.stringify({ ts: start + second * 1000, values: { AI1: 4.2 } }), {
        qos: 1,
      });
    await Promise.all(clients.map((client) => publish(client, 0)));
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = world.telemetry.writer.exclusively(async () => {
      order.push("first begins");
      await gate.promise;
      order.push("first ends");
    });
    const second = world.telemetry.writer.exclusively(async () => void order.push("second"));
    const published = clients.flatMap((client) => Array.from({ length: moments }, (_, at) => publish(client, 1 + at)));
    await expect.poll(() => world.telemetry.writer.stats.waitingReadings).toBe(2 * moments);
    expect(await Promise.all(devices.map(storedOf))).toEqual([1, 1]);
    gate.resolve();
    await Promise.all([first, second, ...published]);
    expect(order).toEqual(["first begins", "first ends", "second"]);
    expect(await Promise.all(devices.map(storedOf))).toEqual([moments + 1, moments + 1]);
    expect(world.telemetry.writer.stats.waiting).toBe(0);
  });

  it("report that readings are not stored while the database refuses them, and the recovery", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: 4.2 }), { qos: 1 });
    const { writer } = world.telemetry;
    expect(await writer.check()).toBeUndefined();
    const connect = world.pool.connect.bind(world.pool) as (...done: unknown[]) => unknown;
    const spy = vi
      .spyOn(world.pool, "connect")
      .mockImplementation(((...done: unknown[]) =>
        done.length > 0 ? connect(...done) : Promise.reject(new Error("No space left on device"))) as never);
    const published = client.publishAsync(topics.telemetry, JSON.stringify({ AI1: 4.3 }), { qos: 1 });
    const words = () => writer.check().catch((fault: Error) => fault.message);
    await expect.poll(words).toMatch(/^readings .*not stored: No space left on device$/i);
    spy.mockRestore();
    await published;
    await expect.poll(words).toBeUndefined();
  });

  // Tables of a database in parts have no triggers.
  const whole = it.skipIf(inject("workerUrls").length > 0);
  whole("wait no longer after a fault because other writers have changed the device several times before", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: 4.2 }), { qos: 1 });
    // As if the device had changed before each of eight tries; the ninth fails. Sequences are not rolled back: they keep the number of tries, and the time of each.
    await world.pool.query(`
      CREATE SEQUENCE test_tries; CREATE SEQUENCE test_failed_ts; CREATE SEQUENCE test_next_ts;
      CREATE FUNCTION try_again() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE try bigint := nextval('test_tries'); BEGIN
        IF try < 9 THEN RAISE EXCEPTION 'changed' USING ERRCODE = '${changedVersion}'; END IF;
        PERFORM setval(CASE WHEN try = 9 THEN 'test_failed_ts' ELSE 'test_next_ts' END, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
        IF try = 9 THEN RAISE EXCEPTION 'away'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER try_again BEFORE INSERT ON batches FOR EACH ROW WHEN (NEW.device_ids @> '{${device.deviceId}}') EXECUTE FUNCTION try_again()`);
    await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: 4.3 }), { qos: 1 });
    const { rows } = await world.pool.query<{ waited: number }>(
      "SELECT n.last_value - f.last_value AS waited FROM test_next_ts n, test_failed_ts f",
    );
    // After delays that had been doubled eight times it would be these five seconds.
    expect(rows[0]?.waited).toBeLessThan(5_000);
    await world.pool.query("DROP TRIGGER try_again ON batches");
  });

  it("report that a batch takes long", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: 4.2 }), { qos: 1 });
    const holder = await world.pool.connect();
    await holder.query("BEGIN; LOCK TABLE batches IN ACCESS EXCLUSIVE MODE");
    // A newer one, which must be written to `latest`.
    const newer = { ts: world.clock.now() + 1000, values: { AI1: 4.3 } };
    const published = client.publishAsync(topics.telemetry, JSON.stringify(newer), { qos: 1 });
    const words = () => world.telemetry.writer.check();
    await expect
      .poll(words, { timeout: 10_000 })
      .toMatch(/^slow: the database takes \d+\.\d s for a batch of readings$/);
    await holder.query("ROLLBACK");
    holder.release();
    await published;
  });

  it("keep no other device's messages unread while one of them stands still", async () => {
    const [stuck, other] = [await world.device(), await world.device()];
    // A connection is not read on while its messages wait.
    const blocked = await Promise.all(Array.from({ length: 10 }, () => world.mqtt(stuck.accessToken)));
    const client = await world.mqtt(other.accessToken);
    const holder = await world.pool.connect();
    await holder.query("BEGIN");
    await holder.query("UPDATE device_versions SET version = version WHERE device_id = $1", [stuck.deviceId]);
    const rows = (message: number) =>
      Array.from({ length: 600 }, (_, at) => ({ ts: start + (message * 600 + at) * 1000, values: { AI1: 4.2 } }));
    const published = blocked.map((each, message) =>
      each.publishAsync(topics.telemetry, JSON.stringify(rows(message)), { qos: 1 }),
    );
    await expect.poll(() => world.telemetry.writer.stats.waitingReadings).toBe(6_000);
    await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: 4.2 }), { qos: 1 });
    // A lane counts as standing still a moment after its last batch.
    await expect.poll(() => world.telemetry.writer.isSupplied()).toBe(false);
    await holder.query("ROLLBACK");
    holder.release();
    await Promise.all(published);
  });
});
