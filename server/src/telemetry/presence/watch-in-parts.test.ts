import { topics } from "@telltale/contract/device-api";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { serverOf } from "../../readings/index.ts";
import { createDeviceWorld } from "../../test/device-world.ts";
import { aDeviceThat, pretendParts } from "../../test/test-parts.ts";

const minute = 60_000;

/** Fails each check that has heard the device. */
const failing = (deviceId: number): string => `
  CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not on this server'; END $$;
  CREATE TRIGGER failing BEFORE UPDATE OF last_seen_time ON devices
     FOR EACH ROW WHEN (NEW.device_id = ${deviceId}) EXECUTE FUNCTION fail()`;

/** On an ordinary PostgreSQL, which pretends to be several servers. */
describe.skipIf(inject("workerUrls").length > 0)("the check for silent devices of a database in parts", () => {
  test("that fails on one server is named in the log, and is not hidden on /metrics by the other servers' checks", async () => {
    const world = await createDeviceWorld({ database: await pretendParts() });
    onTestFinished(() => world.close());
    const { offlineWatch } = world.telemetry;
    const lastSuccess = async (): Promise<string | undefined> =>
      /^telltale_job_last_success_timestamp_seconds\{job="offline watch"\} (.+)$/m.exec(
        await world.metrics.metrics(),
      )?.[1];
    // Only the test's own checks.
    await offlineWatch.stop();
    const device = await aDeviceThat(world, (id) => serverOf(id) === 1);
    const client = await world.mqtt(device.accessToken);
    const report = (value: number) => client.publishAsync(topics.telemetry, JSON.stringify({ AI1: value }), { qos: 1 });
    await report(1);
    await offlineWatch.run();
    const succeeded = String(world.clock.now() / 1000);
    expect(await lastSuccess()).toBe(succeeded);

    await world.pool.query(failing(device.deviceId));
    world.clock.pass(minute);
    await report(2);
    await expect(offlineWatch.run()).rejects.toThrow("not on this server");
    expect(await lastSuccess()).toBe(succeeded);
    const logged = vi.spyOn(world.log, "error");
    offlineWatch.start();
    const named = [expect.objectContaining({ server: "worker-2:5432" }), expect.stringContaining("of one server")];
    await vi.waitFor(() => expect(logged).toHaveBeenCalledWith(...named), 10_000);
    expect(await lastSuccess()).toBe(succeeded);

    await world.pool.query("DROP TRIGGER failing ON devices");
    await offlineWatch.run();
    expect(await lastSuccess()).toBe(String(world.clock.now() / 1000));
  });
});
