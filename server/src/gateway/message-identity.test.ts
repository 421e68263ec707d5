import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import { createArrivals } from "./message-identity.ts";

describe("a message without a time, after the server came up again", () => {
  let world: TestWorld;
  beforeAll(async () => {
    world = await createTestWorld();
  });
  afterAll(() => world.close());

  const stored = async (slot: number, ts: number) => {
    await world.pool.query("INSERT INTO arrivals (device_id, packet_id, digest, ts) VALUES (1, $1, 7, $2)", [slot, ts]);
    return { deviceId: 1, slot, digest: 7 };
  };

  it("keeps its first time when it is sent again, once if it does not say so, and soon", async () => {
    const now = world.clock.now();
    const [recent, old] = [await stored(1, now - 1000), await stored(2, now - 3_600_000)];
    const arrivals = createArrivals(world);
    expect(await arrivals.committed(recent, true)).toBe(now - 1000);
    expect(await arrivals.committed(old, true)).toBe(now - 3_600_000);
    expect(await arrivals.committed(old, false)).toBeUndefined();
    expect(await arrivals.committed(recent, false)).toBe(now - 1000);
    expect(await arrivals.committed(recent, false)).toBeUndefined();
    world.clock.pass(60_000);
    expect(arrivals.committed(recent, false)).toBeUndefined();
  });
});
