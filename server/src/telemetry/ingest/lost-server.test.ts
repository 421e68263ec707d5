import { topics } from "@telltale/contract/device-api";
import { alarms } from "@telltale/contract/domains/alarms";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { DeviceType } from "@telltale/contract/domains/devices";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { buildApp } from "../../app.ts";
import { notify } from "../../platform/bus/device-notices.ts";
import { withDatabase } from "../../platform/database/test-commands.ts";
import { groupOf, serverOf } from "../../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aLowFlow, aWatchableStation } from "../../test/test-alarms.ts";
import type { TestDevice } from "../../test/test-devices.ts";
import { aDeviceThat } from "../../test/test-parts.ts";
import { clientsOf } from "../../test/test-server.ts";

const start = 1_763_700_000_000;
const workers = inject("workerUrls");

/** On the servers of TEST_CITUS only. */
describe.skipIf(workers.length === 0)("while one server of a database in parts takes no readings", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  /** Renames the table of a device's readings on its server. */
  const rename = async ({ deviceId }: TestDevice, way: "away" | "back"): Promise<void> => {
    const { rows } = await world.pool.query<{ shard: string; port: number }>(
      `SELECT 'batches_' || shardid AS shard, nodeport AS port FROM pg_dist_shard_placement
        WHERE shardid = get_shard_id_for_distribution_column('batches', $1::int2)`,
      [groupOf(deviceId)],
    );
    const [place] = rows;
    const worker = workers.find((url) => Number(new URL(url).port) === place?.port) ?? "";
    const client = new pg.Client({ connectionString: withDatabase(worker, new URL(world.url).pathname.slice(1)) });
    await client.connect();
    await client.query("SET citus.enable_manual_changes_to_shards = on");
    const [from, to] = way === "away" ? [place?.shard, `${place?.shard}_away`] : [`${place?.shard}_away`, place?.shard];
    await client.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    await client.end();
  };
  const connect = async ({ accessToken }: TestDevice) => {
    const client = await world.mqtt(accessToken);
    return (topic: string, content: object) => client.publishAsync(topic, JSON.stringify(content), { qos: 1 });
  };
  const at = (n: number, value: number, code = "AI1") => ({ ts: start + n * 1000, values: { [code]: value } });

  test("devices of the others go on beside a family that has a sub-device there, which follows in order when it is back", async () => {
    const master = await world.device();
    const home = serverOf(master.deviceId);
    const ofMaster = { deviceType: DeviceType.sub, parentDeviceId: master.deviceId };
    const sub = await aDeviceThat(world, (id) => serverOf(id) !== home, ofMaster);
    // Its messages are written together with the master's.
    const other = await aDeviceThat(world, (id) => serverOf(id) === home && (id - master.deviceId) % 2 === 0);
    const [byMaster, byOther] = [await connect(master), await connect(other)];
    await byOther(topics.telemetry, at(0, 0));
    await byMaster(topics.gateway.telemetry, { [sub.deviceSnId]: [at(0, 1)] });
    await rename(sub, "away");
    const held = [1, 2, 3].map((n) => byMaster(topics.gateway.telemetry, { [sub.deviceSnId]: [at(n, n * 10)] }));
    const own = byMaster(topics.telemetry, at(1, 5));
    await expect.poll(() => world.telemetry.writer.check()).toContain("of some devices are not stored");
    for (const n of [1, 2, 3, 4, 5]) await byOther(topics.telemetry, at(n, n));
    await rename(sub, "back");
    await Promise.all([...held, own]);
    expect((await world.readings(sub, "AI1")).map(({ value }) => value)).toEqual([1, 10, 20, 30]);
    expect((await world.readings(other, "AI1")).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5]);
    expect((await world.readings(master, "AI1")).map(({ value }) => value)).toEqual([5]);
    await expect.poll(() => world.telemetry.writer.check()).toBeUndefined();
  });

  test("a device whose alarm has its gate there is loaded again and goes on, and its alarm follows the gate when that is back", async () => {
    const owner = { ...world.owner, plantId: world.plantId };
    const watchable = await aWatchableStation(world, owner);
    const { station } = watchable;
    const home = serverOf(station.deviceId);
    const pump = await aDeviceThat(world, (id) => serverOf(id) !== home, {
      ...{ deviceType: DeviceType.sub, parentDeviceId: station.deviceId },
    });
    const app = await buildApp(world);
    const gate = { gateChannelId: Number(pump.channels.AI1), gateType: GateType.above, gateValue: 10 };
    await clientsOf(app)(owner)(alarms.add, aLowFlow(watchable, gate));
    const byStation = await connect(station);
    await byStation(topics.telemetry, at(0, 5, "AI3"));
    await byStation(topics.gateway.telemetry, { [pump.deviceSnId]: [at(0, 5)] });
    await rename(pump, "away");
    await notify(world.db, { plantId: owner.plantId, deviceId: station.deviceId });
    await byStation(topics.telemetry, at(1, 6, "AI3"));
    const opened = byStation(topics.gateway.telemetry, { [pump.deviceSnId]: [at(2, 40)] });
    expect(await world.alerts(station)).toEqual([]);
    await rename(pump, "back");
    await opened;
    await byStation(topics.telemetry, at(3, 7, "AI3"));
    expect(await world.alerts(station)).toMatchObject([{ cleared_time: null }]);
    await app.close();
  });
});
