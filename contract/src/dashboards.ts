import { z } from "zod";
import { get } from "./call.ts";
import * as wire from "./wire.ts";

/** One register of a modbus device or channel of a group, as a tile shows it. */
export const TileChannel = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  /** The register's keyword, which decides how the value is shown. (spec 1 §5) */
  channelCn: z.string(),
  value: z.number().nullable(),
  status: z.int(),
  unit: z.string(),
});
export type TileChannel = z.output<typeof TileChannel>;

/** What kind of tile it is: one channel, a group of channels, a modbus device. */
export const TileKind = { channel: 1, group: 2, modbus: 3 } as const;
export type TileKind = (typeof TileKind)[keyof typeof TileKind];

/** One tile of the dashboard. `deviceChannelId` of a group or modbus tile is that of its first channel. */
export const Tile = z.object({
  kind: z.int(),
  deviceChannelId: z.int(),
  dashboardGroupId: z.int().nullable(),
  channelName: z.string(),
  groupName: z.string().nullable(),
  /** Analog type id that decides icon and label. */
  icon: z.int(),
  channelAnalogId: z.int(),
  channelType: z.int(),
  deviceId: z.int(),
  deviceName: z.string(),
  value: z.number().nullable(),
  status: z.int(),
  unit: z.string(),
  /** Empty until the unit part is loaded. */
  modbusChannels: z.array(TileChannel),
});
export type Tile = z.output<typeof Tile>;

/** The channels of a group or modbus tile, found again by its `deviceChannelId` and, as two may begin with the same channel, its group. */
export const UnitPart = z.object({
  deviceChannelId: z.int(),
  dashboardGroupId: z.int().nullable().optional(),
  modbusChannels: z.array(TileChannel),
});
export type UnitPart = z.output<typeof UnitPart>;

export const dashboards = {
  tiles: get("/api/dashboard/unit", {
    access: "dashboard.read",
    summary: "Tiles of a dashboard in their order; without an id, the account's own or the plant's default",
    query: z.object({ dashboardId: wire.int().optional() }),
    result: z.array(Tile),
  }),
  unitPart: get("/api/dashboard/unit/part", {
    access: "dashboard.read",
    summary: "Channels of the group and modbus tiles among these; code 110 when there is none",
    query: z.object({ deviceChannelIds: wire.list(wire.int()) }),
    result: z.array(UnitPart).nullable(),
  }),
  names: get("/api/dashboard/noPageList", {
    access: "dashboard.read",
    summary: "Dashboards to choose from",
    result: z.array(z.object({ dashboardId: z.int(), name: z.string(), status: z.int() })),
  }),
};
