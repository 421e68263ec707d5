import { ReadingStatus } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { type NewDevice, type ProvisionedDevice, provisionDevice } from "../modules/devices/models/provision.ts";
import type { World } from "../world.ts";

export interface TestDevice extends ProvisionedDevice {
  /** Channel ids by code. */
  channels: Record<string, number>;
}

interface Wanted extends Partial<NewDevice> {
  name?: string;
  parentDeviceId?: number;
}

type Needs = Pick<World, "db" | "clock">;

const channelIds = async ({ db }: Needs, deviceId: number): Promise<Record<string, number>> => {
  const rows = await db
    .selectFrom("channels")
    .select(["channel_id", "channel_cn"])
    .where("device_id", "=", deviceId)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.channel_cn, row.channel_id]));
};

/** Creates an unclaimed device, by default an analog main device. */
export const anUnclaimedDevice = async (world: Needs, wanted: Wanted = {}): Promise<TestDevice> => {
  const { name: _name, parentDeviceId: _parent, ...device } = wanted;
  const made = await provisionDevice(
    world.db,
    { model: Model.analog, deviceType: DeviceType.main, ...device },
    world.clock.date(),
  );
  return { ...made, channels: await channelIds(world, made.deviceId) };
};

/** Creates a device of the owner's plant, paid for a year, never heard. */
export const aDevice = async (world: Needs, owner: { plantId: number }, wanted: Wanted = {}): Promise<TestDevice> => {
  const device = await anUnclaimedDevice(world, wanted);
  await world.db
    .updateTable("devices")
    .set({
      plant_id: owner.plantId,
      device_name: wanted.name ?? `Device ${device.deviceId}`,
      parent_device_id: wanted.parentDeviceId ?? null,
      claimed_time: world.clock.date(),
      expire_time: new Date(world.clock.now() + 365 * 86_400_000),
    })
    .where("device_id", "=", device.deviceId)
    .execute();
  return device;
};

/** Sets the newest reading of a channel, as shown by tiles and the detail page. */
export const aReading = async (
  { db, clock }: Needs,
  channelId: number,
  { value, status = ReadingStatus.good, ts = clock.now() }: { value: number; status?: number; ts?: number },
): Promise<void> => {
  await db
    .insertInto("latest")
    .values({ channel_id: channelId, ts, value, status, received_ts: clock.now() })
    .execute();
};
