import { z } from "zod";
import { get } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { AlertType } from "../alerts.ts";
import { ChannelType, reportWithin } from "../channels.ts";

/** One register of a modbus device, or one channel of a group, on a tile. */
export const TileChannel = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  /** The register's keyword, which selects the display format. (spec 1 §5) */
  channelCn: z.string(),
  value: z.number().nullable(),
  status: z.int(),
  unit: z.string(),
  updateTime: wire.time().nullable(),
  reportWithin,
});
export type TileChannel = z.output<typeof TileChannel>;

/** Kinds of tiles: one channel, a group of channels, a modbus device. */
export const TileKind = { channel: 1, group: 2, modbus: 3 } as const;
export type TileKind = (typeof TileKind)[keyof typeof TileKind];

/** One dashboard tile. `deviceChannelId` of a group or modbus tile is that of its first channel. */
export const Tile = z.object({
  kind: z.enum(TileKind),
  deviceChannelId: z.int(),
  dashboardGroupId: z.int().nullable(),
  channelName: z.string(),
  groupName: z.string().nullable(),
  /** Analog type id that selects icon and label. */
  icon: z.int(),
  channelAnalogId: z.int(),
  channelType: z.enum(ChannelType),
  deviceId: z.int(),
  deviceName: z.string(),
  value: z.number().nullable(),
  status: z.int(),
  unit: z.string(),
  /** When the value was read; null of several channels, and before the first reading. */
  updateTime: wire.time().nullable(),
  reportWithin,
  /** The sensor's range while its device is heard; null of several channels, and where there is none. */
  sensorRange: z.object({ zero: z.number(), span: z.number() }).nullable(),
  /** Empty until the unit part is loaded. */
  modbusChannels: z.array(TileChannel),
});
export type Tile = z.output<typeof Tile>;

/** Number of channels that fit on a tile. (design: group 3 side by side, modbus 8 lines) */
export const tileRoom: Record<TileKind, number> = { [TileKind.channel]: 1, [TileKind.group]: 3, [TileKind.modbus]: 8 };

/** Those of a tile's channels whose last hour it draws: each one that it shows, of a motor controller its power alone. */
export const tracedChannels = <C extends Pick<TileChannel, "channelCn">>(
  kind: TileKind,
  channels: readonly C[],
): C[] => {
  const shown = channels.slice(0, tileRoom[kind]);
  if (kind !== TileKind.modbus) return shown;
  const power = shown.find(({ channelCn }) => channelCn === "Real Power");
  return power ? [power] : shown.slice(0, 1);
};

/** How often a channel was to report from a moment on. */
const SparklinePace = z.object({
  /** Epoch milliseconds. */
  since: z.number(),
  reportWithin,
});
export type SparklinePace = z.output<typeof SparklinePace>;

/** The last hour of a channel in few points that keep minima and maxima; `low` and `high` are the limits of its settings. */
export const Sparkline = z.object({
  deviceChannelId: z.int(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Whole seconds from point to point, the first from `from` on. */
  steps: z.array(z.int()),
  /** As exact as a drawing of this line needs. */
  values: z.array(z.number()),
  /** Where `reportWithin` was changed during the line, oldest first; empty where it was the tile's all the time. Servers of earlier versions leave it out. */
  paces: z.array(SparklinePace).default([]),
});
export type Sparkline = z.output<typeof Sparkline>;

/** The paces of a line, of those of the settings during it, oldest first. */
export const linePaces = (paces: readonly SparklinePace[]): SparklinePace[] => {
  const changed = paces.filter((pace, at) => pace.reportWithin !== paces[at - 1]?.reportWithin);
  return changed.length > 1 ? changed : [];
};

/** The limits that a line can cross, of those of a channel's settings. */
export const lineLimits = (
  limits: readonly { alarmType: AlertType; setpoint: number }[],
): Pick<Sparkline, "low" | "high"> => {
  const setpoint = (...types: AlertType[]) =>
    limits.find(({ alarmType }) => types.includes(alarmType))?.setpoint ?? null;
  return { low: setpoint(AlertType.low), high: setpoint(AlertType.high, AlertType.counting) };
};

/** Milliseconds that a sparkline shows. */
export const sparklineSpan = 3_600_000;

/** The channels of a group or modbus tile, matched by its `deviceChannelId` and group: two tiles may start with the same channel. */
export const UnitPart = z.object({
  deviceChannelId: z.int(),
  dashboardGroupId: z.int().nullable().optional(),
  modbusChannels: z.array(TileChannel),
});
export type UnitPart = z.output<typeof UnitPart>;

/** What a dashboard shows. The calls by which it is configured are beside them in `dashboards`. */
export const tileCalls = {
  tiles: get("/api/dashboard/unit", {
    access: "dashboard.read",
    summary:
      "Tiles of a dashboard in order; without an id, those of the account's own dashboard or the plant's default",
    query: z.object({ dashboardId: wire.int().optional() }),
    result: z.array(Tile),
  }),
  unitPart: get("/api/dashboard/unit/part", {
    access: "dashboard.read",
    summary: "Channels of the group and modbus tiles with these ids; code 110 when there are none",
    query: z.object({ deviceChannelIds: wire.listOrNone(wire.int()) }),
    result: z.array(UnitPart).nullable(),
  }),
  sparklines: get("/api/dashboard/sparklines", {
    access: "dashboard.read",
    summary:
      "The last hour of all channels that the tiles of a dashboard draw, `from` and `to` in epoch milliseconds by the server's clock; without an id, of the account's own dashboard or the plant's default",
    query: z.object({ dashboardId: wire.int().optional() }),
    result: z.object({ from: z.number(), to: z.number(), lines: z.array(Sparkline) }),
  }),
};
