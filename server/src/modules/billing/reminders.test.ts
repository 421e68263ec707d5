import { MessageKind } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice } from "../../test/test-devices.ts";
import { aDeviceManager, anAdmin, anOwner, type Person } from "../../test/test-people.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { createServiceReminders } from "./orders/reminders-job.ts";

const day = 86_400_000;
let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld();
});
afterAll(() => world.close());

const endsIn = async (owner: Person, name: string, days: number): Promise<number> => {
  const { deviceId } = await aDevice(world, owner, { name });
  await setEnd(deviceId, days);
  return deviceId;
};
const setEnd = (deviceId: number, days: number) =>
  world.db
    .updateTable("devices")
    .set({ expire_time: new Date(world.clock.now() + days * day) })
    .where("device_id", "=", deviceId)
    .execute();
const subjects = async ({ plantId }: Person): Promise<string[]> => {
  const mails = world.db.selectFrom("outbox").select("subject").where("plant_id", "=", plantId);
  return (await mails.where("kind", "=", MessageKind.mail).orderBy("message_id").execute()).map((mail) => mail.subject);
};
const run = () => createServiceReminders(world).run();

test("owners and admins are reminded 30, 7 and 1 days before the service ends, once each, and again of the next end", async () => {
  const owner = await anOwner(world);
  const pump = await endsIn(owner, "Pump", 31);
  await run();
  expect(await subjects(owner)).toEqual([]);
  const reminder = "Network services end soon: Pump";
  const received = async (days: number, times: number) => {
    world.clock.pass(days * day);
    await Promise.all([run(), run()]);
    await run();
    expect(await subjects(owner)).toEqual(Array(times).fill(reminder));
  };
  await received(2, 1);
  await received(20, 1);
  await received(3, 2);
  await received(5, 3);
  await received(0.5, 3);
  await received(2, 3);
  await setEnd(pump, 365 + 6);
  await received(365, 4);
});

test("a late device is announced at the nearest distance only; a plant's devices share one mail; nobody else gets it", async () => {
  const owner = await anOwner(world);
  const admin = await anAdmin(world, owner);
  await aDeviceManager(world, owner);
  const other = await anOwner(world);
  await endsIn(owner, "Boiler", 5);
  await endsIn(owner, "Valve", 0.5);
  await endsIn(owner, "Late", -3);
  await run();
  await run();
  const mails = await world.db
    .selectFrom("outbox")
    .select(["recipient", "subject", "body"])
    .where("plant_id", "in", [owner.plantId, other.plantId])
    .execute();
  expect(mails).toHaveLength(2);
  expect(admin.plantId).toBe(owner.plantId);
  for (const { subject, body } of mails) {
    expect(subject).toBe("Network services end soon: 2 devices");
    expect(JSON.stringify(body)).toMatch(/Valve.*Boiler/);
    expect(JSON.stringify(body)).not.toContain("Late");
  }
});
