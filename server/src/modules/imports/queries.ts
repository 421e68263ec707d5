import { deviceLimits } from "@telltale/contract/device-api";
import type { ImportDevice, ImportProgress } from "@telltale/contract/domains/readings/imports";
import type { Selectable } from "kysely";
import type { PoolClient } from "pg";
import { devicesInScope, type Scope } from "../../access/index.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";

type ImportRow = Pick<
  Selectable<Schema["imports"]>,
  "import_id" | "position" | "line_count" | "stored_count" | "present_count" | "refused_count"
>;

const progressColumns = [
  "import_id",
  "position",
  "line_count",
  "stored_count",
  "present_count",
  "refused_count",
] as const;

export const progressOf = (row: ImportRow): ImportProgress => ({
  importId: row.import_id,
  position: row.position,
  line: row.line_count,
  read: row.stored_count + row.present_count + row.refused_count,
  stored: row.stored_count,
  present: row.present_count,
  refused: row.refused_count,
});

/** What decides whether a device takes readings. */
interface Taking {
  device_name: string;
  is_disabled: boolean;
  expire_time: Date | null;
}

/** Why a device takes no readings now, as a sentence; empty when it does. The same holds for what it sends itself. */
export const refusalOf = ({ device_name, is_disabled, expire_time }: Taking, now: number): string => {
  if (is_disabled) return `${device_name} is disabled: enable it first`;
  const isOver = expire_time !== null && expire_time.getTime() + deviceLimits.graceAfterService < now;
  return isOver ? `The service of ${device_name} has ended: renew it first` : "";
};

/** The devices of these names or device IDs with their channels, by name. */
export const importDevices = async (
  db: Database,
  scope: Scope,
  names: readonly string[],
  now: number,
): Promise<ImportDevice[]> => {
  const devices = await devicesInScope(db, scope)
    .where(({ eb, or }) => or([eb("device_name", "in", names), eb("device_sn_id", "in", names)]))
    .select(["device_id", "device_sn_id", "device_name", "is_disabled", "expire_time"])
    .orderBy("device_name")
    .orderBy("device_id")
    .execute();
  if (devices.length === 0) return [];
  const channels = await db
    .selectFrom("channels")
    .select(["device_id", "channel_id", "channel_cn", "channel_name", "channel_switch"])
    .where(
      "device_id",
      "in",
      devices.map(({ device_id }) => device_id),
    )
    .orderBy("device_id")
    .orderBy("position")
    .execute();
  const channelsOf = Map.groupBy(channels, ({ device_id }) => device_id);
  return devices.map((device) => ({
    deviceId: device.device_id,
    deviceSnId: device.device_sn_id,
    deviceName: device.device_name,
    refusal: refusalOf(device, now),
    channels: (channelsOf.get(device.device_id) ?? []).map((row) => ({
      deviceChannelId: row.channel_id,
      channelCode: row.channel_cn,
      channelName: row.channel_name,
      isOn: row.channel_switch,
    })),
  }));
};

interface Begun {
  plantId: number;
  accountId: number;
  fileName: string;
  digest: string;
  now: Date;
}

/** Adds an import; undefined when one of this file has not ended yet. */
export const addImport = async (
  db: Database,
  { plantId, accountId, fileName, digest, now }: Begun,
): Promise<ImportRow | undefined> =>
  db
    .insertInto("imports")
    .values({ plant_id: plantId, digest, file_name: fileName, created_by: accountId, created_time: now })
    .onConflict((conflict) => conflict.columns(["plant_id", "digest"]).where("ended_time", "is", null).doNothing())
    .returning(progressColumns)
    .executeTakeFirst();

export const openImport = (db: Database, plantId: number, digest: string): Promise<ImportRow | undefined> =>
  db
    .selectFrom("imports")
    .select(progressColumns)
    .where("plant_id", "=", plantId)
    .where("digest", "=", digest)
    .where("ended_time", "is", null)
    .executeTakeFirst();

/** Ends an import; again with the same result. Undefined when the plant has no such import. */
export const endImport = (db: Database, plantId: number, importId: number, now: Date) =>
  db
    .updateTable("imports")
    .set(({ fn, val, ref }) => ({ ended_time: fn.coalesce(ref("ended_time"), val(now)) }))
    .where("import_id", "=", importId)
    .where("plant_id", "=", plantId)
    .returning([...progressColumns, "device_ids"])
    .executeTakeFirst();

/** The devices that an import has stored readings of; undefined when the plant has no such import. */
export const devicesOfImport = async (db: Database, plantId: number, importId: number): Promise<number[] | undefined> =>
  (
    await db
      .selectFrom("imports")
      .select("device_ids")
      .where("import_id", "=", importId)
      .where("plant_id", "=", plantId)
      .executeTakeFirst()
  )?.device_ids;

const lockOpen = `
  SELECT import_id, position, line_count, stored_count, present_count, refused_count, ended_time IS NOT NULL AS is_ended
    FROM imports WHERE import_id = $1 AND plant_id = $2 FOR NO KEY UPDATE`;

/** The import, until the transaction ends nobody else's. */
export const lockImport = async (
  client: PoolClient,
  plantId: number,
  importId: number,
): Promise<(ImportRow & { is_ended: boolean }) | undefined> =>
  (await client.query<ImportRow & { is_ended: boolean }>(lockOpen, [importId, plantId])).rows[0];

const advance = `
  UPDATE imports SET position = $2, line_count = $3, stored_count = stored_count + $4, present_count = present_count + $5, refused_count = refused_count + $6,
         stored_time = to_timestamp($8::float8 / 1000), device_ids = ARRAY(SELECT DISTINCT id FROM unnest(device_ids || $7::int4[]) AS id ORDER BY id)
   WHERE import_id = $1
  RETURNING import_id, position, line_count, stored_count, present_count, refused_count`;

interface Advanced {
  importId: number;
  position: number;
  line: number;
  stored: number;
  present: number;
  refused: number;
  deviceIds: readonly number[];
  now: number;
}

export const advanceImport = async (client: PoolClient, to: Advanced): Promise<ImportProgress> => {
  const counts = [to.position, to.line, to.stored, to.present, to.refused];
  const { rows } = await client.query<ImportRow>(advance, [to.importId, ...counts, to.deviceIds, to.now]);
  const [row] = rows;
  if (!row) throw new Error(`Import ${to.importId} is gone`);
  return progressOf(row);
};

/** A channel that readings go to. */
export interface Target extends Taking {
  channel_id: number;
  channel_cn: string;
  channel_switch: boolean;
  device_id: number;
  /** Readings before are kept as summaries of hours only; null when all are kept. */
  readings_from: Date | null;
}

/** Shared locks: until the transaction ends, the devices stay in the plant and keep what they keep now. */
const targets = `
  SELECT c.channel_id, c.channel_cn, c.channel_switch, d.device_id, d.device_name, d.is_disabled, d.expire_time, d.readings_from
    FROM channels c JOIN devices d USING (device_id) WHERE c.channel_id = ANY($1::int4[]) AND d.plant_id = $2 ORDER BY d.device_id FOR SHARE OF d`;

/** These channels of the plant, by id. */
export const targetsOf = async (
  client: PoolClient,
  plantId: number,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, Target>> => {
  const { rows } = await client.query<Target>(targets, [channelIds, plantId]);
  return new Map(rows.map((row) => [row.channel_id, row]));
};
