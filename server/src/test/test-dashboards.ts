import type { Analog } from "@telltale/contract/domains/channels";
import type { World } from "../world.ts";

interface Wanted {
  name?: string;
  isDefault?: boolean;
  /** Channel tiles, by channel id. */
  channels?: number[];
  /** Group tiles: a group of a device's channels each. */
  groups?: { deviceId: number; name: string; icon: Analog; channels: number[] }[];
  /** Modbus tiles, by device id. */
  devices?: number[];
}

type Needs = Pick<World, "db" | "clock">;

const aGroup = async ({ db, clock }: Needs, plantId: number, group: NonNullable<Wanted["groups"]>[number]) => {
  const { group_id } = await db
    .insertInto("dashboard_groups")
    .values({
      plant_id: plantId,
      device_id: group.deviceId,
      name: group.name,
      icon: group.icon,
      modified_time: clock.date(),
    })
    .returning("group_id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("dashboard_group_channels")
    .values(group.channels.map((channel_id, position) => ({ group_id, channel_id, position })))
    .execute();
  return group_id;
};

/** Creates a dashboard of the owner's plant with tiles in this order: channels, groups, modbus devices. Returns its id. */
export const aDashboard = async (world: Needs, owner: { plantId: number }, wanted: Wanted = {}): Promise<number> => {
  const { db, clock } = world;
  const now = clock.date();
  const { dashboard_id } = await db
    .insertInto("dashboards")
    .values({
      plant_id: owner.plantId,
      name: wanted.name ?? "Dashboard",
      is_default: wanted.isDefault ?? false,
      created_time: now,
      modified_time: now,
    })
    .returning("dashboard_id")
    .executeTakeFirstOrThrow();
  const groups = [];
  for (const group of wanted.groups ?? []) groups.push({ group_id: await aGroup(world, owner.plantId, group) });
  const tiles = [
    ...(wanted.channels ?? []).map((channel_id) => ({ channel_id })),
    ...groups,
    ...(wanted.devices ?? []).map((device_id) => ({ device_id })),
  ];
  for (const [position, tile] of tiles.entries()) {
    await db
      .insertInto("dashboard_tiles")
      .values({ dashboard_id, position, ...tile })
      .execute();
  }
  return dashboard_id;
};
