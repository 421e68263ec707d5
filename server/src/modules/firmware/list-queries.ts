import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import {
  type FirmwareRow,
  type firmware,
  UpdateStatus,
  VersionStatus,
  VersionType,
} from "@telltale/contract/domains/firmware";
import { type RawBuilder, sql } from "kysely";
import { devicesInScope, hasStatus, listedLike, type Scope, statusOf } from "../../access/index.ts";
import { offsetOf, pageOf, when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { chunksOf } from "./report.rules.ts";
import { type Available, type Installed, isNewer, isSameVersion, latestOf, rollbackOf } from "./version.rules.ts";

type Filter = Input<typeof firmware.list>;

interface UnderWay {
  step: number;
  version: string;
  versionType: number;
  size: number;
  chunkSize: number | null;
  chunksSent: number;
}

const updates = (part: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
  (select ${part} from firmware_updates u join firmware_images i using (image_id) where u.device_id = devices.device_id and ${condition})`;

const isInstalled = sql`u.ended_time is not null and u.failure is null`;
const updatedTime = updates(sql`max(u.ended_time)`, isInstalled).$castTo<Date | null>();

const openUpdates = updates(
  sql`json_build_object('step', u.step, 'version', i.version, 'versionType', i.version_type, 'size', i.size,
        'chunkSize', u.chunk_size, 'chunksSent', u.chunks_sent)`,
  sql`u.ended_time is null`,
).$castTo<UnderWay | null>();

/** Limit of the history: a device goes back one version, rarely two. */
const installed = sql<
  Installed[]
>`coalesce((select json_agg(json_build_object('version', version, 'from', from_version) order by update_id desc) from
  ${updates(sql`i.version, u.from_version, u.update_id`, sql`${isInstalled} order by u.update_id desc limit 20`)} as done), '[]')`;

const lastFailure = updates(
  sql`json_build_object('version', i.version, 'failure', u.failure)`,
  sql`u.ended_time is not null order by u.update_id desc limit 1`,
).$castTo<{ version: string; failure: string | null } | null>();

const available = sql<Available[]>`coalesce((
  select json_agg(json_build_object('version', version, 'versionType', version_type) order by version_order desc)
    from firmware_images where device_sn = devices.device_sn and withdrawn_time is null), '[]')`;

/** Devices in the account's scope that match the filter. */
const matching = (db: Database, scope: Scope, filter: Partial<Filter>, now: Date) =>
  devicesInScope(db, scope)
    .innerJoin("listed_devices", "listed_devices.device_id", "devices.device_id")
    .$if(!!filter.status?.length, (q) => q.where(hasStatus(filter.status ?? [], now)))
    .$if(!!filter.deviceName, (q) => q.where(listedLike("device_name", filter.deviceName ?? "")))
    .$if(!!filter.deviceSn, (q) => q.where(listedLike("device_sn_id", filter.deviceSn ?? "")))
    .$call(when(filter.statTime, (q, statTime) => q.where(updatedTime, ">=", statTime)))
    .$call(when(filter.endTime, (q, endTime) => q.where(updatedTime, "<=", endTime)));

const rows = (db: Database, scope: Scope, filter: Partial<Filter>, now: Date) =>
  matching(db, scope, filter, now)
    .select(["devices.device_id", "devices.device_sn_id", "devices.device_sn", "devices.device_name"])
    .select(["devices.firmware_version", updatedTime.as("updated_time"), statusOf(now).as("status")])
    .select([openUpdates.as("under_way"), installed.as("installed")])
    .select([lastFailure.as("last"), available.as("available")]);

type Row = Awaited<ReturnType<ReturnType<typeof rows>["executeTakeFirstOrThrow"]>>;

const progressOf = ({ step, version, size, chunkSize, chunksSent }: UnderWay) => ({
  step,
  versionNo: version,
  chunk: chunksSent,
  chunks: chunksOf(size, chunkSize),
});

const rowOf = (row: Row): FirmwareRow => {
  const { firmware_version: current, available: versions, under_way: now, last } = row;
  const latest = latestOf(versions);
  const isNew = latest !== undefined && isNewer(latest.version, current);
  // An update does not count as failed if the device runs its version by now.
  const hasFailed = last?.failure && !now && !isSameVersion(last.version, current);
  return {
    deviceId: row.device_id,
    deviceSnId: row.device_sn_id,
    deviceName: row.device_name,
    deviceSn: row.device_sn,
    versionNo: current,
    latestVersion: latest?.version ?? null,
    rollbackVersion: rollbackOf(current, row.installed, versions)?.version ?? null,
    versionStatus: isNew ? VersionStatus.new : VersionStatus.none,
    versionType: now?.versionType ?? latest?.versionType ?? VersionType.mcu,
    updateStatus: now ? UpdateStatus.updating : UpdateStatus.idle,
    updateTime: row.updated_time,
    status: row.status,
    progress: now && progressOf(now),
    failure: hasFailed ? `${last.version}: ${last.failure}` : "",
  };
};

/** A page of devices with their firmware, first installed first, sub-devices below their masters. */
export const firmwarePage = async (
  db: Database,
  scope: Scope,
  filter: Filter,
  now: Date,
): Promise<Page<FirmwareRow>> => {
  const [found, { total }] = await Promise.all([
    rows(db, scope, filter, now)
      .orderBy("listed_devices.listed_time")
      .orderBy("listed_devices.top_id")
      .orderBy(sql`listed_devices.device_id <> listed_devices.top_id`)
      .orderBy("devices.claimed_time")
      .orderBy("devices.device_id")
      .limit(filter.size)
      .offset(offsetOf(filter))
      .execute(),
    matching(db, scope, filter, now)
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow(),
  ]);
  return pageOf(found.map(rowOf), total, filter);
};

/** A device with its firmware; undefined when it is not in the account's scope. */
export const firmwareOf = async (
  db: Database,
  scope: Scope,
  deviceId: number,
  now: Date,
): Promise<FirmwareRow | undefined> => {
  const row = await rows(db, scope, {}, now).where("devices.device_id", "=", deviceId).executeTakeFirst();
  return row && rowOf(row);
};
