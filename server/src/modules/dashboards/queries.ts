import { limitsOf } from "@telltale/contract/channel-types/index";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import {
  lineLimits,
  linePaces,
  type Sparkline,
  TileKind,
  tracedChannels,
} from "@telltale/contract/domains/dashboard/tiles";
import { sql } from "kysely";
import { isLimited, ownDashboard, type Scope } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { notFound } from "../../platform/http/api-error.ts";
import { channelsInScope, channelValues, reportWithinOf, unitSince } from "../channels/index.ts";
import type { FilledTile } from "./rules.ts";

/** Dashboards in the account's scope: the plant's, or a viewer's own. */
const dashboardsInScope = (db: Database, scope: Scope) =>
  db
    .selectFrom("dashboards")
    .where("dashboards.plant_id", "=", scope.plantId)
    .$if(isLimited(scope), (query) => query.where("dashboards.dashboard_id", "=", ownDashboard(db, scope)));

/** Dashboards to choose from, the default first. */
export const dashboardNames = (db: Database, scope: Scope) =>
  dashboardsInScope(db, scope)
    .select(["dashboards.dashboard_id", "dashboards.name", "dashboards.is_default"])
    .orderBy("dashboards.is_default", "desc")
    .orderBy("dashboards.name")
    .orderBy("dashboards.dashboard_id")
    .execute();

/** The id if that dashboard is in the account's scope, otherwise 404; without an id, the account's own dashboard, if it has one. */
export const dashboardId = async (db: Database, scope: Scope, id: number | undefined): Promise<number | undefined> => {
  const found =
    id === undefined
      ? await ownDashboard(db, scope).executeTakeFirst()
      : await dashboardsInScope(db, scope)
          .where("dashboards.dashboard_id", "=", id)
          .select("dashboards.dashboard_id")
          .executeTakeFirst();
  if (!found && id !== undefined) throw notFound();
  return found?.dashboard_id;
};

/** Tiles of the dashboards in scope with their channels, in order. */
const tileChannels = (db: Database, scope: Scope) =>
  dashboardsInScope(db, scope)
    .innerJoin("dashboard_tiles as tile", "tile.dashboard_id", "dashboards.dashboard_id")
    .leftJoin("dashboard_groups as grouped", "grouped.group_id", "tile.group_id")
    .leftJoin("dashboard_group_channels as member", "member.group_id", "tile.group_id")
    .innerJoin("channels", (join) =>
      join.on(({ eb, or }) =>
        or([
          eb("channels.channel_id", "=", eb.ref("tile.channel_id")),
          eb("channels.channel_id", "=", eb.ref("member.channel_id")),
          eb("channels.device_id", "=", eb.ref("tile.device_id")),
        ]),
      ),
    )
    .select(["tile.tile_id", "tile.device_id", "tile.group_id", "grouped.name", "grouped.icon"])
    .select("channels.channel_id")
    .orderBy("tile.position")
    .orderBy("tile.tile_id")
    .orderBy("member.position")
    .orderBy("channels.position")
    .orderBy("channels.channel_id");

type Placed = Awaited<ReturnType<ReturnType<typeof tileChannels>["execute"]>>;

const kindOf = ({ device_id, group_id }: Placed[number]): TileKind => {
  if (device_id !== null) return TileKind.modbus;
  return group_id === null ? TileKind.channel : TileKind.group;
};

/** Adds the channels' current values to their tiles. */
const filled = async (db: Database, scope: Scope, placed: Placed, now: Date): Promise<FilledTile[]> => {
  const ids = [...new Set(placed.map((row) => row.channel_id))];
  const values = new Map((await channelValues(db, scope, ids, now)).map((value) => [value.deviceChannelId, value]));
  return [...Map.groupBy(placed, (row) => row.tile_id).values()].flatMap((rows) => {
    const tile = rows[0];
    if (!tile) return [];
    const channels = rows.flatMap((row) => values.get(row.channel_id) ?? []);
    return { kind: kindOf(tile), groupId: tile.group_id, groupName: tile.name, groupIcon: tile.icon, channels };
  });
};

/** The tiles of a dashboard in order, with the current values of their channels. */
export const filledTiles = async (db: Database, scope: Scope, id: number, now: Date): Promise<FilledTile[]> =>
  filled(db, scope, await tileChannels(db, scope).where("dashboards.dashboard_id", "=", id).execute(), now);

/** A channel whose line is drawn, with the limits of its settings, and how often it was to report. */
export interface Traced extends Pick<Sparkline, "deviceChannelId" | "low" | "high" | "paces"> {
  /** Its readings from before then, epoch milliseconds, are in another unit; null where none is. */
  unitSince: number | null;
}

interface TimedSettings {
  /** Epoch milliseconds. */
  since: number;
  settings: ChannelSettings;
}

/** SQL: earlier settings of a channel of `channelsInScope` that held, in its present unit, after a moment; oldest first, null of most channels. */
const settingsSince = (from: Date) => sql<TimedSettings[] | null>`case when period.start_time > ${from} then (
  select json_agg(json_build_object('since', extract(epoch from earlier.start_time) * 1000, 'settings', earlier.settings) order by earlier.start_time)
    from settings_periods as earlier
   where earlier.channel_id = channels.channel_id and earlier.end_time > greatest(${from}::timestamptz, ${unitSince})) end`;

/** The channels whose lines the tiles of a dashboard draw; none when it is not in the account's scope. */
export const tracedIds = async (db: Database, scope: Scope, id: number): Promise<number[]> => {
  const placed = await tileChannels(db, scope)
    .select("channels.channel_cn")
    .where("dashboards.dashboard_id", "=", id)
    .execute();
  const traced = [...Map.groupBy(placed, (row) => row.tile_id).values()].flatMap((rows) => {
    const [first] = rows;
    const channels = rows.map((row) => ({ channelId: row.channel_id, channelCn: row.channel_cn }));
    return first ? tracedChannels(kindOf(first), channels).map(({ channelId }) => channelId) : [];
  });
  return [...new Set(traced)];
};

/** Those of these channels that are in the account's scope, for lines from a moment on. */
export const tracedOf = async (
  db: Database,
  scope: Scope,
  channelIds: readonly number[],
  from: Date,
): Promise<Traced[]> => {
  const rows = await channelsInScope(db, scope)
    .where(({ eb }) => eb("channels.channel_id", "=", eb.fn.any(eb.val(channelIds))))
    .select(["period.start_time", unitSince.as("unit_since"), settingsSince(from).as("earlier")])
    .execute();
  return rows.map((row) => {
    const settings = [...(row.earlier ?? []), { since: row.start_time.getTime(), settings: row.settings }];
    return {
      deviceChannelId: row.channel_id,
      ...lineLimits(limitsOf(row.channel_type, row.settings)),
      paces: linePaces(settings.map((each) => ({ since: each.since, reportWithin: reportWithinOf(each.settings) }))),
      unitSince: row.unit_since?.getTime() ?? null,
    };
  });
};

/** Tiles in the account's scope, of any dashboard, that show one of the channels as part of a group or modbus device. */
export const filledUnits = async (
  db: Database,
  scope: Scope,
  channelIds: number[],
  now: Date,
): Promise<FilledTile[]> => {
  const query = tileChannels(db, scope)
    .clearSelect()
    .clearOrderBy()
    .where("tile.channel_id", "is", null)
    .where(({ eb }) => eb("channels.channel_id", "=", eb.fn.any(eb.val(channelIds))))
    .select("tile.tile_id");
  return filled(db, scope, await tileChannels(db, scope).where("tile.tile_id", "in", query).execute(), now);
};
