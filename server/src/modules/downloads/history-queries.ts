import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import type { DownloadRecord, downloads } from "@telltale/contract/domains/readings/downloads";
import { audit } from "../../platform/database/audit.ts";
import { containing, offsetOf, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Caller } from "../../platform/http/caller.ts";

export interface DownloadedPeriod {
  deviceId: number;
  startTime: Date;
  endTime: Date;
}

type Downloader = Pick<Caller, "plantId" | "accountId" | "userId" | "isAdmin" | "address">;

/** A download in a support view is audited instead of recorded in the user's own history. */
const auditDownload = (db: Database, who: Downloader, period: DownloadedPeriod, now: Date) => {
  const { plantId, userId, accountId, address } = who;
  const detail = { accountId, address, ...period };
  return audit(db, { plantId, userId, action: "support.download", detail, now });
};

/** Records a download: in the account's history, or for a support view in the audit log. */
export const recordDownload = async (
  db: Database,
  who: Downloader,
  period: DownloadedPeriod,
  now: Date,
): Promise<void> => {
  if (who.isAdmin) {
    await auditDownload(db, who, period, now);
    return;
  }
  await db
    .insertInto("downloads")
    .values({
      plant_id: who.plantId,
      account_id: who.accountId,
      device_id: period.deviceId,
      start_time: period.startTime,
      end_time: period.endTime,
      created_time: now,
    })
    .execute();
};

type HistoryFilter = Input<typeof downloads.history>;

const matching = (
  db: Database,
  { plantId, accountId }: Pick<Caller, "plantId" | "accountId">,
  filter: HistoryFilter,
) => {
  const like = [
    ["devices.device_sn", filter.deviceSn],
    ["devices.device_sn_id", filter.deviceSnId],
    ["devices.device_name", filter.deviceName],
  ] as const;
  let query = db
    .selectFrom("downloads")
    .innerJoin("devices", "devices.device_id", "downloads.device_id")
    .where("downloads.plant_id", "=", plantId)
    .where("downloads.account_id", "=", accountId);
  for (const [column, text] of like) if (text) query = query.where(column, "ilike", containing(text));
  if (filter.statTime) query = query.where("downloads.created_time", ">=", filter.statTime);
  return filter.endTime ? query.where("downloads.created_time", "<=", filter.endTime) : query;
};

/** The account's downloads, newest first. */
export const downloadHistory = async (
  db: Database,
  who: Pick<Caller, "plantId" | "accountId">,
  filter: HistoryFilter,
): Promise<Page<DownloadRecord>> => {
  const found = matching(db, who, filter);
  const [rows, { total }] = await Promise.all([
    found
      .orderBy("downloads.created_time", "desc")
      .orderBy("downloads.download_id", "desc")
      .limit(filter.size)
      .offset(offsetOf(filter))
      .select([
        "downloads.download_id as downloadId",
        "devices.device_id as deviceId",
        "devices.device_sn as deviceSn",
        "devices.device_sn_id as deviceSnId",
        "devices.device_name as deviceName",
        "devices.time_zone_id as timeZoneId",
        "downloads.start_time as startTime",
        "downloads.end_time as endTime",
        "downloads.created_time as createdTime",
      ])
      .execute(),
    found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return pageOf(rows, total, filter);
};
