import { randomUUID } from "node:crypto";
import { topics } from "@telltale/contract/device-api";
import type { Pool, PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../../../test/device-world.ts";
import { rawClient } from "../../../test/raw-client.ts";
import { lockWaits } from "../../../test/test-readings.ts";
import { identityOf } from "./message-identity.ts";

/** A reading without a time of its own. */
const reading = {
  cmd: "publish",
  topic: topics.telemetry,
  payload: '{"AI1": 33}',
  qos: 1,
  messageId: 1,
  retain: false,
} as const;

const leave = async (client: Awaited<ReturnType<typeof rawClient>>): Promise<void> => {
  client.send({ cmd: "disconnect" });
  await client.closed;
};
/** Another node commits this message with this arrival time. */
const committedElsewhere = async (
  database: Pool | PoolClient,
  deviceId: number,
  { payload, messageId }: { payload: string; messageId: number },
  ts: number,
): Promise<void> => {
  const { slot, digest } = identityOf({ deviceId, epoch: 0 }, Buffer.from(payload), messageId);
  await database.query(
    `INSERT INTO arrivals (device_id, packet_id, digest, ts, node_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (device_id, packet_id) DO UPDATE SET digest = excluded.digest, ts = excluded.ts, node_id = excluded.node_id`,
    [deviceId, slot, digest, ts, randomUUID()],
  );
  await database.query("UPDATE device_versions SET version = version + 1 WHERE device_id = $1", [deviceId]);
};

describe("a reading of the same packet identifier and value, on several nodes", () => {
  it("is a resend on another node of the cluster whose connection broke, and new when the device had disconnected", async () => {
    const here = await createDeviceWorld({ sharing: "shared" });
    const database = { url: here.url, drop: async () => undefined };
    const there = await createDeviceWorld({ sharing: "shared", clock: here.clock, database });
    const device = await here.device();
    const publishBy = async ({ gateway }: DeviceWorld) => {
      const client = await rawClient(gateway.mqttPort(), device.accessToken);
      client.send({ ...reading, dup: false });
      await client.next("puback");
      return client;
    };
    const client = await publishBy(here);
    here.clock.pass(1_000);
    await leave(await publishBy(there));
    expect(await here.readings(device, "AI1")).toHaveLength(1);
    client.close();
    await expect.poll(() => here.gateway.connections(), { timeout: 10_000 }).toBe(0);
    here.clock.pass(1_000);
    await leave(await publishBy(here));
    expect(await here.readings(device, "AI1")).toHaveLength(2);
    await expect.poll(async () => (await here.pool.query("SELECT 1 FROM arrivals")).rowCount).toBe(0);
    here.clock.pass(1_000);
    await leave(await publishBy(there));
    expect(await here.readings(device, "AI1")).toHaveLength(3);
    await there.close();
    await here.close();
  });

  it.each([
    ["resent", true, []],
    ["first sent", false, []],
    ["sent beside one with a time of its own", false, [{ ts: 1_700_000_000_000, values: { AI1: 5 } }]],
  ])("is stored once when it is %s here and another node commits it meanwhile", async (_, dup, timed) => {
    const payload = JSON.stringify([...timed, { AI1: 33 }]);
    const here = await createDeviceWorld({ sharing: "shared" });
    const device = await here.device();
    const client = await rawClient(here.gateway.mqttPort(), device.accessToken);
    // Longer ago than messages without the flag are looked up for.
    here.clock.pass(120_000);
    const gate = Promise.withResolvers<void>();
    const held = here.telemetry.writer.exclusively(() => gate.promise);
    client.send({ ...reading, payload, dup });
    await expect.poll(() => here.telemetry.writer.stats.waitingReadings).toBe(1 + timed.length);
    const { deviceId } = device;
    const first = here.clock.now() - 500;
    await committedElsewhere(here.pool, deviceId, { ...reading, payload }, first);
    gate.resolve();
    await held;
    await client.next("puback");
    expect(await here.readings(device, "AI1")).toEqual([
      ...timed.map(({ ts }) => expect.objectContaining({ ts })),
      expect.objectContaining({ ts: first }),
    ]);
    await here.close();
  });

  it("is stored once when it could not be committed here and another node has committed it meanwhile", async () => {
    const here = await createDeviceWorld({ sharing: "shared" });
    const device = await here.device();
    const client = await rawClient(here.gateway.mqttPort(), device.accessToken);
    await here.pool.query("ALTER TABLE batches RENAME TO unreachable");
    client.send({ ...reading, dup: false });
    await expect.poll(() => here.telemetry.writer.stats.failedBatches).toBeGreaterThan(0);
    const { deviceId } = device;
    const first = here.clock.now() + 500;
    await committedElsewhere(here.pool, deviceId, reading, first);
    await here.pool.query("ALTER TABLE unreachable RENAME TO batches");
    await client.next("puback");
    expect(await here.readings(device, "AI1")).toEqual([expect.objectContaining({ ts: first })]);
    await here.close();
  });

  it("is stored once when another node commits it while an earlier message waits for that commit", async () => {
    const here = await createDeviceWorld({ sharing: "shared" });
    const device = await here.device();
    const { deviceId } = device;
    const client = await rawClient(here.gateway.mqttPort(), device.accessToken);
    const there = await here.pool.connect();
    await there.query("BEGIN");
    const other = { ...reading, payload: '{"AI1": 34}', messageId: 2 };
    const first = here.clock.now() - 500;
    await committedElsewhere(there, deviceId, other, first);
    client.send({ ...reading, dup: true });
    await expect.poll(() => lockWaits(here.pool)).toBe(1);
    client.send({ ...other, dup: true });
    await expect.poll(() => here.telemetry.writer.stats.waiting).toBe(2);
    await there.query("COMMIT");
    there.release();
    await client.next("puback");
    await client.next("puback");
    const stored = await here.readings(device, "AI1");
    expect(stored.filter(({ value }) => value === 34)).toEqual([expect.objectContaining({ ts: first })]);
    await here.close();
  });

  it("is stored once when its device sends it to another node, and here again", async () => {
    const here = await createDeviceWorld({ sharing: "shared" });
    const device = await here.device();
    const { deviceId } = device;
    const connect = () => rawClient(here.gateway.mqttPort(), device.accessToken);
    const gate = Promise.withResolvers<void>();
    const held = here.telemetry.writer.exclusively(() => gate.promise);
    const before = await connect();
    before.send({ ...reading, dup: false });
    await expect.poll(() => here.telemetry.writer.stats.waitingReadings).toBe(1);
    before.close();
    const first = here.clock.now() + 500;
    await committedElsewhere(here.pool, deviceId, reading, first);
    gate.resolve();
    await held;
    await expect.poll(() => here.telemetry.writer.stats.waitingReadings).toBe(0);
    const back = await connect();
    back.send({ ...reading, dup: true });
    await back.next("puback");
    expect(await here.readings(device, "AI1")).toEqual([expect.objectContaining({ ts: first })]);
    await here.close();
  });

  it("is stored once when it comes after this node has heard that another one has its device", async () => {
    const here = await createDeviceWorld({ sharing: "shared" });
    const device = await here.device();
    const client = await rawClient(here.gateway.mqttPort(), device.accessToken);
    // Longer ago than messages without the flag are looked up for.
    here.clock.pass(120_000);
    const first = here.clock.now() - 500;
    await committedElsewhere(here.pool, device.deviceId, reading, first);
    client.send({ ...reading, payload: '{"AI1": 34}', messageId: 2, dup: false });
    await client.next("puback");
    client.send({ ...reading, dup: false });
    await client.next("puback");
    const stored = await here.readings(device, "AI1");
    expect(stored.filter(({ value }) => value === 33)).toEqual([expect.objectContaining({ ts: first })]);
    await here.close();
  });

  it.each([
    ["is left to its device, which has sent it elsewhere and a thousand since, when its connection broke", false, 0],
    ["is stored when its device took its leave: another client of the device has sent a thousand elsewhere", true, 1],
  ])("%s", async (_, takesLeave, stored) => {
    const here = await createDeviceWorld({ sharing: "shared" });
    const device = await here.device();
    const client = await rawClient(here.gateway.mqttPort(), device.accessToken);
    here.clock.pass(120_000);
    const gate = Promise.withResolvers<void>();
    const held = here.telemetry.writer.exclusively(() => gate.promise);
    client.send({ ...reading, dup: false });
    await expect.poll(() => here.telemetry.writer.stats.waitingReadings).toBe(1);
    const first = here.clock.now() - 500;
    await committedElsewhere(here.pool, device.deviceId, reading, first);
    const later = { payload: '{"AI1": 34}', messageId: reading.messageId + 1024 };
    await committedElsewhere(here.pool, device.deviceId, later, first + 400);
    if (takesLeave) await leave(client);
    else client.close();
    await expect.poll(() => here.gateway.connections()).toBe(0);
    gate.resolve();
    await held;
    await expect.poll(() => here.telemetry.writer.stats.waitingReadings).toBe(0);
    expect(await here.readings(device, "AI1")).toHaveLength(stored);
    await here.close();
  });
});
