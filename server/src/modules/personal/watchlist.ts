import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { Analog } from "@telltale/contract/domains/channels";
import type { personal, WatchChoice, WatchedChannel } from "@telltale/contract/domains/people/personal";
import { sql } from "kysely";
import { devicesInScope } from "../../access/index.ts";
import { containing, offsetOf, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { channelValues } from "../channels/index.ts";

/** The account of a watchlist, with its scope. */
export type Watcher = Pick<Caller, "accountId" | "plantId" | "roleType" | "dashboardId">;

/** Channels on the account's watchlist in order, visible or not. */
export const watchedIds = async (db: Database, { accountId }: Watcher): Promise<number[]> =>
  (
    await db
      .selectFrom("watched_channels")
      .select("channel_id")
      .where("account_id", "=", accountId)
      .orderBy("position")
      .orderBy("channel_id")
      .execute()
  ).map((row) => row.channel_id);

/** The watchlist in order with newest readings, without channels outside the account's scope. */
export const watchlist = async (db: Database, watcher: Watcher, now: Date): Promise<WatchedChannel[]> => {
  const ids = await watchedIds(db, watcher);
  const values = new Map((await channelValues(db, watcher, ids, now)).map((value) => [value.deviceChannelId, value]));
  return ids.flatMap((id) => values.get(id) ?? []);
};

/** A page of channels in the account's scope that are not watched yet, by device. */
export const watchChoices = async (
  db: Database,
  watcher: Watcher,
  filter: Input<typeof personal.choices>,
): Promise<Page<WatchChoice>> => {
  const pattern = containing(filter.name ?? "");
  const found = devicesInScope(db, watcher)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("watched_channels as watched")
            .select("watched.channel_id")
            .whereRef("watched.channel_id", "=", "channels.channel_id")
            .where("watched.account_id", "=", watcher.accountId),
        ),
      ),
    )
    .where(({ eb, or }) =>
      or([
        eb("channels.channel_name", "ilike", pattern),
        eb("channels.channel_cn", "ilike", pattern),
        eb("devices.device_name", "ilike", pattern),
        eb("devices.device_sn_id", "ilike", pattern),
      ]),
    );
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await found
    .leftJoin("settings_periods as period", (join) =>
      join.onRef("period.channel_id", "=", "channels.channel_id").on("period.end_time", "is", null),
    )
    .select(["channels.channel_id", "channels.channel_name", "devices.device_name", "devices.device_sn_id"])
    .select(sql<number>`coalesce((period.settings->>'analogId')::int, ${Analog.other})`.as("analog"))
    .orderBy("devices.device_name")
    .orderBy("devices.device_id")
    .orderBy("channels.position")
    .orderBy("channels.channel_id")
    .offset(offsetOf(filter))
    .limit(filter.size)
    .execute();
  const data = rows.map((row) => ({
    deviceChannelId: row.channel_id,
    channelName: row.channel_name,
    channelAnalogId: row.analog,
    deviceName: row.device_name,
    deviceSnId: row.device_sn_id,
  }));
  return pageOf(data, total, filter);
};

/** Replaces the account's watchlist, in this order. */
export const putWatchlist = async (
  db: Database,
  { accountId }: Watcher,
  channelIds: readonly number[],
): Promise<void> => {
  await db.deleteFrom("watched_channels").where("account_id", "=", accountId).execute();
  if (channelIds.length === 0) return;
  const rows = channelIds.map((channel_id, position) => ({ account_id: accountId, channel_id, position }));
  await db.insertInto("watched_channels").values(rows).execute();
};

/** Serialises changes of an account's watchlist until the transaction ends. */
export const lockWatchlist = async (db: Database, { accountId }: Watcher): Promise<void> => {
  await db.selectFrom("accounts").select("account_id").where("account_id", "=", accountId).forNoKeyUpdate().execute();
};

/** Names of channels, for the audit log. */
export const channelNames = async (db: Database, channelIds: readonly number[]): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select d.device_name || ', ' || c.channel_name as name
      from unnest(${channelIds}::int[]) with ordinality as requested(channel_id, place)
      join channels c using (channel_id) join devices d using (device_id) order by place`.execute(db);
  return rows.map(({ name }) => name);
};
