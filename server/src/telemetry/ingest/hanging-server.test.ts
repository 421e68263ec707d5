import { topics } from "@telltale/contract/device-api";
import { DeviceType } from "@telltale/contract/domains/devices";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { serverOf } from "../../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import type { TestDevice } from "../../test/test-devices.ts";
import { aDeviceThat, type PretendedParts, pretendParts } from "../../test/test-parts.ts";

const minute = 60_000;
/** Less than the time after which a statement without an answer ends, milliseconds. */
const soon = 10_000;

/** On an ordinary PostgreSQL, which pretends to be several servers: those of TEST_CITUS cannot be made to hang from here. */
describe.skipIf(inject("workerUrls").length > 0)("while a server of a database in parts does not answer", () => {
  let database: PretendedParts;
  let world: DeviceWorld;
  beforeEach(async () => {
    database = await pretendParts();
    world = await createDeviceWorld({ database });
  });
  afterEach(() => world.close());

  const on = (server: number, wanted = {}) => aDeviceThat(world, (id) => serverOf(id) === server, wanted);
  const connect = async ({ accessToken }: TestDevice) => {
    const client = await world.mqtt(accessToken);
    return (topic: string, content: object) => client.publishAsync(topic, JSON.stringify(content), { qos: 1 });
  };
  const isOnline = async ({ deviceId }: TestDevice): Promise<boolean> => {
    const { rows } = await world.pool.query("SELECT is_online FROM devices WHERE device_id = $1", [deviceId]);
    return rows[0]?.is_online;
  };
  const valuesOf = async (device: TestDevice) => (await world.readings(device, "AI1")).map(({ value }) => value);
  const subOf = (master: TestDevice) => ({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
  const makeStale = ({ deviceId }: TestDevice): void => {
    const known = world.telemetry.registry.inMemory({ deviceId });
    expect(known).toBeDefined();
    if (known) known.isStale = true;
  };
  /** Resolves when a statement waits for the server. */
  const untilItHangs = () =>
    expect
      .poll(async () => (await world.pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount)
      .toBeGreaterThan(0);

  test("silent devices of the others are marked offline, and those that send are acknowledged, their attributes, too", async () => {
    const [here, silentHere] = [await on(0), await on(0)];
    const [there, silentThere] = [await on(1), await on(1)];
    const [byHere, byThere] = [await connect(here), await connect(there)];
    for (const device of [silentHere, silentThere]) await (await connect(device))(topics.telemetry, { AI1: 1 });
    for (const publish of [byHere, byThere]) await publish(topics.telemetry, { AI1: 1 });
    await world.telemetry.offlineWatch.run();
    const answer = await database.hang();
    const held = byThere(topics.telemetry, { AI1: 2 });
    await untilItHangs();
    world.clock.pass(31 * minute);
    const began = performance.now();
    const checked = world.telemetry.offlineWatch.run();
    await expect.poll(() => isOnline(silentHere), { timeout: soon }).toBe(false);
    expect(await isOnline(silentThere)).toBe(true);
    for (const value of [2, 3, 4]) await byHere(topics.telemetry, { AI1: value });
    await byHere(topics.attributes, { power: 50 });
    expect(performance.now() - began).toBeLessThan(soon);
    expect(await isOnline(here)).toBe(true);
    await answer();
    await Promise.all([held, checked]);
    expect(await isOnline(silentThere)).toBe(false);
    expect([await valuesOf(here), await valuesOf(there)]).toEqual([
      [1, 2, 3, 4],
      [1, 2],
    ]);
  });

  test("sub-devices of the others are loaded again", async () => {
    const [master, lost] = [await on(0), await on(1)];
    const sub = await on(0, subOf(master));
    const lostSub = await on(1, subOf(lost));
    const [byMaster, byLost] = [await connect(master), await connect(lost)];
    await byMaster(topics.gateway.telemetry, { [sub.deviceSnId]: { AI1: 1 } });
    await byLost(topics.gateway.telemetry, { [lostSub.deviceSnId]: { AI1: 1 } });
    const answer = await database.hang();
    for (const device of [sub, lostSub]) makeStale(device);
    const held = byLost(topics.gateway.telemetry, { [lostSub.deviceSnId]: { AI1: 2 } });
    await untilItHangs();
    const began = performance.now();
    await byMaster(topics.gateway.telemetry, { [sub.deviceSnId]: { AI1: 2 } });
    expect(performance.now() - began).toBeLessThan(soon);
    await answer();
    await held;
    expect([await valuesOf(sub), await valuesOf(lostSub)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test("a sub-device there that has to be loaded again does not hold up its master's server", async () => {
    const master = await on(0);
    const sub = await on(1, subOf(master));
    // Its messages are written together with the master's.
    const other = await aDeviceThat(world, (id) => serverOf(id) === 0 && (id - master.deviceId) % 2 === 0);
    const [byMaster, byOther] = [await connect(master), await connect(other)];
    await byMaster(topics.gateway.telemetry, { [sub.deviceSnId]: { AI1: 1 } });
    await byOther(topics.telemetry, { AI1: 1 });
    const answer = await database.hang();
    makeStale(sub);
    const held = byMaster(topics.gateway.telemetry, { [sub.deviceSnId]: { AI1: 2 } });
    await untilItHangs();
    const began = performance.now();
    for (const value of [2, 3, 4]) await byOther(topics.telemetry, { AI1: value });
    expect(performance.now() - began).toBeLessThan(soon);
    await answer();
    await held;
    expect([await valuesOf(sub), await valuesOf(other)]).toEqual([
      [1, 2],
      [1, 2, 3, 4],
    ]);
  });
});
