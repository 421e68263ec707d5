import type { Page } from "@telltale/contract/call/paging";
import type { BridgeRow } from "@telltale/contract/domains/readings/bridges";
import { sql } from "kysely";
import { type Bridge, lagsOf } from "../../bridges/index.ts";
import { offsetOf, type PageRequest, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";

const deviceIds = sql<number[]>`array(
  select chosen.device_id from bridge_devices chosen where chosen.bridge_id = bridges.bridge_id order by chosen.device_id)`;

/** Support sees the address without its path, which may be a secret of another system. */
const withoutPath = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

type Row = Bridge & { device_ids: number[] };

const rowOf = (
  bridge: Row,
  lag: { count: number; oldest: number | null } | undefined,
  isSupport: boolean,
): BridgeRow => ({
  bridgeId: bridge.bridge_id,
  bridgeName: bridge.bridge_name,
  url: isSupport ? withoutPath(bridge.url) : bridge.url,
  userName: bridge.user_name,
  hasPassword: bridge.password !== "",
  clientId: bridge.client_id,
  ca: bridge.ca,
  format: bridge.format,
  prefix: bridge.prefix,
  allDevices: bridge.all_devices,
  deviceIds: bridge.device_ids,
  sendsValues: bridge.sends_values,
  sendsAlerts: bridge.sends_alerts,
  enabled: bridge.is_enabled,
  connectedSince: bridge.connected_since,
  failingSince: bridge.failing_since,
  fault: bridge.fault,
  behind: lag?.count ?? 0,
  behindSince: lag?.oldest ? new Date(lag.oldest) : null,
  published: bridge.published_count,
  publishedTime: bridge.published_time,
  refused: bridge.refused_count,
  lost: bridge.lost_count,
  lostTime: bridge.lost_time,
  createdTime: bridge.created_time,
  version: bridge.version,
});

/** A page of the plant's bridges with how far they are behind, newest first. */
export const bridgePage = async (
  { db, pool }: Pick<World, "db" | "pool">,
  { plantId, isAdmin }: Pick<Caller, "plantId" | "isAdmin">,
  page: PageRequest,
): Promise<Page<BridgeRow>> => {
  const ofPlant = db.selectFrom("bridges").where("plant_id", "=", plantId);
  const { total } = await ofPlant.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await ofPlant
    .selectAll("bridges")
    .select(deviceIds.as("device_ids"))
    .orderBy("bridge_id", "desc")
    .offset(offsetOf(page))
    .limit(page.size)
    .execute();
  const lags = await lagsOf(
    pool,
    rows.map((row) => row.bridge_id),
  );
  const lagOf = new Map(lags.map((lag) => [lag.bridgeId, lag]));
  return pageOf(
    rows.map((row) => rowOf(row, lagOf.get(row.bridge_id), isAdmin)),
    total,
    page,
  );
};

/** A bridge of the plant, locked until the transaction ends. */
export const lockedBridge = (db: Database, plantId: number, bridgeId: number): Promise<Bridge | undefined> =>
  db
    .selectFrom("bridges")
    .selectAll()
    .where("plant_id", "=", plantId)
    .where("bridge_id", "=", bridgeId)
    .forUpdate()
    .executeTakeFirst();

/** Chooses the devices of a bridge; false, and no change, when one is not of the plant. */
export const setDevices = async (
  db: Database,
  plantId: number,
  bridgeId: number,
  wanted: readonly number[],
): Promise<boolean> => {
  const chosen = [...new Set(wanted)];
  const found = await db
    .selectFrom("devices")
    .select("device_id")
    .where("plant_id", "=", plantId)
    .where(sql<boolean>`device_id = any(${chosen}::int[])`)
    .execute();
  if (found.length !== chosen.length) return false;
  await db.deleteFrom("bridge_devices").where("bridge_id", "=", bridgeId).execute();
  const rows = chosen.map((device_id) => ({ bridge_id: bridgeId, device_id }));
  if (rows.length > 0) await db.insertInto("bridge_devices").values(rows).execute();
  return true;
};
