import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { namedField } from "../../text/text-fields.ts";
import { Analog } from "../channels.ts";
import { TileKind, tileCalls } from "./tiles.ts";

/** Whether a dashboard is its plant's default; exactly one is. */
export const DashboardStatus = { other: 0, standard: 1 } as const;
export type DashboardStatus = (typeof DashboardStatus)[keyof typeof DashboardStatus];

/** The configured content of a dashboard. `deviceIds` are the motor controllers shown as one tile each. */
const shown = {
  deviceChannelIds: wire.commaList(wire.int("Choose channels from the list")),
  dashboardGroupIds: wire.commaList(wire.int("Choose groups from the list")),
  deviceIds: wire.commaList(wire.int("Choose motor controllers from the list")),
};

/** A configured dashboard. `createdBy` is empty when no user created it; `version` is incremented by every change. */
export const DashboardRow = z.object({
  dashboardId: z.int(),
  name: z.string(),
  notes: z.string(),
  status: z.int(),
  createdTime: wire.time(),
  modifiedTime: wire.time(),
  createdBy: z.string(),
  ...shown,
  version: z.int(),
});
export type DashboardRow = z.output<typeof DashboardRow>;

/** One configured tile; only the id of its own kind is set. */
export const PlacedTile = z.object({
  tileId: z.int(),
  kind: z.enum(TileKind),
  deviceChannelId: z.int().nullable(),
  dashboardGroupId: z.int().nullable(),
  deviceId: z.int(),
  /** Name of the channel, group or motor controller. */
  name: z.string(),
  deviceName: z.string(),
  icon: z.int(),
});
export type PlacedTile = z.output<typeof PlacedTile>;

/** A dashboard with its tiles in order. */
export const DashboardInfo = DashboardRow.extend({ dashboardChannelList: z.array(PlacedTile) });
export type DashboardInfo = z.output<typeof DashboardInfo>;

/** A selectable tile: a channel, or, with `deviceChannelId` null, a motor controller as one tile. */
export const TileChoice = z.object({
  deviceChannelId: z.int().nullable(),
  deviceId: z.int(),
  channelName: z.string(),
  deviceName: z.string(),
  deviceSnId: z.string(),
  icon: z.int(),
});
export type TileChoice = z.output<typeof TileChoice>;

/** A group of channels of one motor controller (device type 6). `icon` is an analog type id. */
export const DashboardGroup = z.object({
  dashboardGroupId: z.int(),
  groupName: z.string(),
  icon: z.enum(Analog),
  deviceId: z.int(),
  deviceName: z.string(),
  deviceChannelIds: shown.deviceChannelIds,
  createdBy: z.string(),
  modifiedTime: wire.time(),
  version: z.int(),
});
export type DashboardGroup = z.output<typeof DashboardGroup>;

/** Most tiles on one dashboard, and most channels in one group. */
export const maxTiles = 500;
export const maxGroupChannels = 100;

const status = z.union([z.literal(0), z.literal(1)], { error: "Choose whether it is the default" });
/** Forms validate before all fields have been parsed. */
const lengthOf = (ids: unknown): number => (Array.isArray(ids) ? ids.length : 0);

/** Why a dashboard cannot show this number of tiles; undefined when it can. */
export const tilesError = (tiles: number): string | undefined => {
  if (tiles === 0) return "Channel List cannot be blank";
  return tiles > maxTiles ? `A dashboard shows at most ${maxTiles} tiles` : undefined;
};

/** Without an id it creates one. `version` is the one the client read: if it has changed since, nothing is saved (409). */
const Edited = z
  .object({
    dashboardId: z.int32().optional(),
    name: namedField("Dashboard name cannot be blank"),
    // Fields left out stay unchanged, or are empty when new.
    notes: wire.text(500).optional(),
    status: status.optional(),
    deviceChannelIds: shown.deviceChannelIds.optional(),
    dashboardGroupIds: shown.dashboardGroupIds.optional(),
    deviceIds: shown.deviceIds.optional(),
    version: z.int32().optional(),
  })
  .superRefine(
    ({ dashboardId, deviceChannelIds, dashboardGroupIds, deviceIds }, { addIssue }) => {
      const lists = [deviceChannelIds, dashboardGroupIds, deviceIds];
      // Only the server knows how many tiles a dashboard has in a list that is left out.
      if (dashboardId !== undefined && lists.includes(undefined)) return;
      const message = tilesError(lists.reduce((sum, ids) => sum + lengthOf(ids), 0));
      if (message) addIssue({ code: "custom", path: ["deviceChannelIds"], message });
    },
    // Runs even when other fields are invalid, so that all errors are shown together.
    { when: ({ value }) => typeof value === "object" && value !== null },
  );

const chooseChannel = "Please select a channel";
const EditedGroup = z.object({
  dashboardGroupId: wire.int().optional(),
  groupName: namedField("Dashboard group name cannot be blank"),
  icon: wire.oneOf(Analog, "Choose an icon"),
  deviceId: wire.int("Choose a motor controller"),
  deviceChannelIds: z
    .string({ error: chooseChannel })
    .pipe(shown.deviceChannelIds)
    .refine((ids) => ids.length > 0, { error: chooseChannel })
    .refine((ids) => ids.length <= maxGroupChannels, { error: `A group has at most ${maxGroupChannels} channels` }),
  version: wire.int().optional(),
});

const dashboardId = wire.int();
const dashboardGroupId = wire.int();

/** Dashboards: their tiles, and (spec 2 §2, §5, §7) their configuration. */
export const dashboards = {
  ...tileCalls,
  names: get("/api/dashboard/noPageList", {
    access: "dashboard.read",
    summary: "Dashboards that the account can choose from",
    result: z.array(z.object({ dashboardId: z.int(), name: z.string(), status: z.int() })),
  }),
  list: get("/api/dashboard/list", {
    access: "configuration.dashboards",
    summary: "The plant's dashboards, the default first, then by creation",
    query: z.object({
      ...pageQuery,
      name: wire.text().optional(),
      createdStartTime: wire.rangeStart().optional(),
      createdEndTime: wire.rangeEnd().optional(),
    }),
    result: page(DashboardRow),
  }),
  info: get("/api/dashboard/info", {
    access: "configuration.dashboards",
    summary: "A dashboard with its tiles in order",
    query: z.object({ dashboardId }),
    result: DashboardInfo,
  }),
  choices: get("/api/dashboard/choices", {
    access: "configuration.dashboards",
    summary: "Channels and motor controllers that a dashboard can show, searched by channel, device name or device ID",
    query: z.object({ ...pageQuery, name: wire.text().optional() }),
    result: page(TileChoice),
  }),
  edit: post("/api/dashboard/edit", {
    access: "dashboards.write",
    summary: "Creates or updates a dashboard: existing tiles keep their order, new ones are appended",
    encoding: "json",
    body: Edited,
    result: z.object({ dashboardId: z.int() }),
  }),
  order: post("/api/dashboard/order", {
    access: "dashboards.write",
    summary: "Reorders the tiles of a dashboard; all of them must be listed",
    encoding: "json",
    body: z.object({
      dashboardId: z.int32(),
      tileIds: wire.commaList(wire.int("List the dashboard's tiles")),
      version: z.int32().optional(),
    }),
    result: z.null(),
  }),
  setStatus: get("/api/dashboard/update/status", {
    access: "dashboards.write",
    summary:
      "Makes a dashboard the plant's default, replacing the previous one; the default itself cannot be switched off",
    query: z.object({ dashboardId, status: wire.oneOf([0, 1], "Choose whether it is the default") }),
    result: z.null(),
  }),
  remove: get("/api/dashboard/delete", {
    access: "dashboards.write",
    summary: "Deletes a dashboard; its viewers then see the default. The default can only be deleted last",
    query: z.object({ dashboardId }),
    result: z.null(),
  }),
  groups: get("/api/dashboard/group/noPageList", {
    access: "configuration.dashboards",
    summary: "Groups of motor controllers' channels by name, of one device or all",
    query: z.object({ deviceId: wire.int().optional() }),
    result: z.array(DashboardGroup),
  }),
  group: get("/api/dashboard/group/info", {
    access: "configuration.dashboards",
    summary: "A group of a motor controller's channels",
    query: z.object({ dashboardGroupId }),
    result: DashboardGroup,
  }),
  editGroup: post("/api/dashboard/group/edit", {
    access: "dashboards.write",
    summary: "Creates or updates a group of channels of one motor controller, in the given order",
    body: EditedGroup,
    result: z.object({ dashboardGroupId: z.int() }),
  }),
  removeGroup: get("/api/dashboard/group/delete", {
    access: "dashboards.write",
    summary: "Deletes a group and its tiles on all dashboards",
    query: z.object({ dashboardGroupId }),
    result: z.null(),
  }),
};
