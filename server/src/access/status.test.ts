import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import { deviceStatus, hasLiveValues, hasStatus, type StatusInputs, statusOf } from "./device-status.ts";

let world: TestWorld;
let deviceId: number;
let plantId: number;

beforeAll(async () => {
  world = await createTestWorld();
  const owner = await anOwner(world);
  plantId = owner.plantId;
  deviceId = (await aDevice(world, owner)).deviceId;
});
afterAll(() => world.close());

interface Case {
  device: StatusInputs;
  alert: "none" | "open" | "cleared" | "notification";
}

const now = new Date("2026-05-01T12:00:00.000Z");
const nearNow = fc.integer({ min: -2, max: 2 }).map((offset) => new Date(now.getTime() + offset));
const cases: fc.Arbitrary<Case> = fc.record({
  device: fc.record({
    isDisabled: fc.boolean(),
    lastSeenTime: fc.option(nearNow),
    expireTime: fc.option(nearNow),
    isOnline: fc.boolean(),
  }),
  alert: fc.constantFrom("none", "open", "cleared", "notification"),
});

const write = async ({ device, alert }: Case): Promise<void> => {
  const { db } = world;
  await db
    .updateTable("devices")
    .set({
      is_disabled: device.isDisabled,
      last_seen_time: device.lastSeenTime,
      expire_time: device.expireTime,
      is_online: device.isOnline,
    })
    .where("device_id", "=", deviceId)
    .execute();
  await db.deleteFrom("alerts").execute();
  if (alert === "none") return;
  await db
    .insertInto("alerts")
    .values({
      plant_id: plantId,
      device_id: deviceId,
      alarm_class: alert === "notification" ? AlertClass.notification : AlertClass.threshold,
      alarm_type: AlertType.high,
      status: alert === "cleared" ? 3 : 1,
      created_time: now,
      cleared_time: alert === "cleared" ? now : null,
      rule_key: "a rule",
    })
    .execute();
};

const input: number[][] = [[1], [2], [3], [4], [5], [1, 2], [2, 4], [1, 2, 3], [9]];

test("the rule in SQL and the rule in TypeScript always agree", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (inputs) => {
      await write(inputs);
      const row = await world.db
        .selectFrom("devices")
        .where("devices.device_id", "=", deviceId)
        .select([statusOf(now).as("status"), hasLiveValues(now).as("live")])
        .innerJoin("listed_devices", "listed_devices.device_id", "devices.device_id")
        .select(input.map((statuses, at) => hasStatus(statuses, now).as(`asked${at}`)))
        .executeTakeFirstOrThrow();
      const hasOpenAlert = inputs.alert === "open";
      expect(row.status).toBe(deviceStatus(inputs.device, now, hasOpenAlert));
      expect(row.live).toBe([1, 2].includes(row.status));
      for (const [at, statuses] of input.entries())
        expect(row).toHaveProperty(`asked${at}`, statuses.includes(row.status));
    }),
    { numRuns: 150 },
  );
});
