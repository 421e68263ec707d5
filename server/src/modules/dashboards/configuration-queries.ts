import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { Analog } from "@telltale/contract/domains/channels";
import {
  type DashboardInfo,
  type DashboardRow,
  DashboardStatus,
  type dashboards,
  type PlacedTile,
} from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { sql } from "kysely";
import { userNameIn } from "../../access/index.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import { containing, offsetOf, pageOf, when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

type Filter = Partial<Input<typeof dashboards.list>>;

/** Serialises changes of the plant's dashboards and groups until the transaction ends, so that default and version checks see the current state. */
export const lockDashboards = (db: Database, plantId: number): Promise<void> => lockPlant(db, plantId);

/** SQL: name of a row's creator; empty for rows created with a device. */
export const creatorName = sql<string>`coalesce((
  select ${userNameIn("u")} from accounts a join users u using (user_id)
   where a.account_id = created_by), '')`;

const tileIds = (column: "channel_id" | "group_id" | "device_id") => sql<number[]>`array(
  select t.${sql.ref(column)} from dashboard_tiles t
   where t.dashboard_id = dashboards.dashboard_id and t.${sql.ref(column)} is not null
   order by t.position, t.tile_id)`;

const dashboardsOf = (db: Database, plantId: number) => db.selectFrom("dashboards").where("plant_id", "=", plantId);

const filtered = (db: Database, plantId: number, { name, createdStartTime, createdEndTime }: Filter) =>
  dashboardsOf(db, plantId)
    .$call(when(name, (q, text) => q.where("name", "ilike", containing(text))))
    .$call(when(createdStartTime, (q, createdStartTime) => q.where("created_time", ">=", createdStartTime)))
    .$call(when(createdEndTime, (q, createdEndTime) => q.where("created_time", "<=", createdEndTime)));

const listed = (db: Database, plantId: number, filter: Filter) =>
  filtered(db, plantId, filter)
    .select(["dashboard_id", "name", "notes", "is_default", "created_time", "modified_time", "version"])
    .select([creatorName.as("creator"), tileIds("channel_id").as("channels")])
    .select([tileIds("group_id").as("groups"), tileIds("device_id").as("devices")]);

type Listed = Awaited<ReturnType<ReturnType<typeof listed>["executeTakeFirstOrThrow"]>>;

const rowOf = (row: Listed): DashboardRow => ({
  dashboardId: row.dashboard_id,
  name: row.name,
  notes: row.notes,
  status: row.is_default ? DashboardStatus.standard : DashboardStatus.other,
  createdTime: row.created_time,
  modifiedTime: row.modified_time,
  createdBy: row.creator,
  deviceChannelIds: row.channels,
  dashboardGroupIds: row.groups,
  deviceIds: row.devices,
  version: row.version,
});

/** A page of the plant's dashboards. */
export const dashboardPage = async (
  db: Database,
  plantId: number,
  filter: Input<typeof dashboards.list>,
): Promise<Page<DashboardRow>> => {
  const { total } = await filtered(db, plantId, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await listed(db, plantId, filter)
    .orderBy("is_default", "desc")
    .orderBy("created_time")
    .orderBy("dashboard_id")
    .offset(offsetOf(filter))
    .limit(filter.size)
    .execute();
  return pageOf(rows.map(rowOf), total, filter);
};

const placedTiles = (db: Database, dashboardId: number) =>
  db
    .selectFrom("dashboard_tiles as tile")
    .leftJoin("channels", "channels.channel_id", "tile.channel_id")
    .leftJoin("settings_periods as period", (join) =>
      join.onRef("period.channel_id", "=", "tile.channel_id").on("period.end_time", "is", null),
    )
    .leftJoin("dashboard_groups as grouped", "grouped.group_id", "tile.group_id")
    .innerJoin("devices", (join) =>
      join.on(({ eb, fn }) =>
        eb(
          "devices.device_id",
          "=",
          fn.coalesce("tile.device_id", "channels.device_id", "grouped.device_id").$castTo<number>(),
        ),
      ),
    )
    .where("tile.dashboard_id", "=", dashboardId)
    .select(["tile.tile_id", "tile.channel_id", "tile.group_id", "devices.device_id", "devices.device_name"])
    .select(({ fn }) =>
      fn.coalesce("grouped.name", "channels.channel_name", "devices.device_name").$castTo<string>().as("name"),
    )
    .select(sql<number>`coalesce(grouped.icon, (period.settings->>'analogId')::int, ${Analog.other})`.as("icon"))
    .orderBy("tile.position")
    .orderBy("tile.tile_id")
    .execute();

const kindOf = (tile: { channel_id: number | null; group_id: number | null }): TileKind => {
  if (tile.channel_id !== null) return TileKind.channel;
  return tile.group_id === null ? TileKind.modbus : TileKind.group;
};

/** A dashboard of the plant with its tiles in order; undefined when the id is unknown. */
export const dashboardInfo = async (
  db: Database,
  plantId: number,
  dashboardId: number,
): Promise<DashboardInfo | undefined> => {
  const row = await listed(db, plantId, {}).where("dashboard_id", "=", dashboardId).executeTakeFirst();
  if (!row) return undefined;
  const tiles = (await placedTiles(db, dashboardId)).map(
    (tile): PlacedTile => ({
      tileId: tile.tile_id,
      kind: kindOf(tile),
      deviceChannelId: tile.channel_id,
      dashboardGroupId: tile.group_id,
      deviceId: tile.device_id,
      name: tile.name,
      deviceName: tile.device_name,
      icon: tile.icon,
    }),
  );
  return { ...rowOf(row), dashboardChannelList: tiles };
};
