import type { Page } from "@telltale/contract/call/paging";
import type { SupportViewRow } from "@telltale/contract/domains/people/sign-ins";
import { sql } from "kysely";
import { audit } from "../../../platform/database/audit.ts";
import { offsetOf, type PageRequest, pageOf } from "../../../platform/database/paging.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";

/** A support view of a plant's account. */
export interface SupportView {
  plantId: number;
  userId: number;
  accountId: number;
  /** Its latest end; also identifies the view. */
  endsTime: Date;
}

interface Opened extends SupportView {
  /** Client address from which it was opened. */
  address: string;
  /** The operator who created the link. */
  madeBy: string;
}

/** Records in the audit log, visible to the plant, that a support view has begun. */
export const auditOpened = (db: Database, { plantId, userId, ...detail }: Opened, now: Date): Promise<void> =>
  audit(db, { plantId, userId, action: "support.open", detail, now });

/** Records that a support view has ended before its time. */
export const auditEnded = (
  db: Database,
  { plantId, userId, endsTime }: Omit<SupportView, "accountId">,
  now: Date,
): Promise<void> => audit(db, { plantId, userId, action: "support.end", detail: { endsTime }, now });

/** The operator who created the link of a view. */
export const openedBy = async (
  db: Database,
  { plantId, userId, endsTime }: Omit<SupportView, "accountId">,
): Promise<string> => {
  const opened = await db
    .selectFrom("audit_log")
    .select(sql<string | null>`detail->>'madeBy'`.as("made_by"))
    .where("plant_id", "=", plantId)
    .where("action", "=", "support.open")
    .where("user_id", "=", userId)
    .where(sql`detail->>'endsTime'`, "=", endsTime.toISOString())
    .orderBy("audit_id", "desc")
    .executeTakeFirst();
  return opened?.made_by ?? "";
};

/** The recorded end of the view, or the end of its time. */
const end = sql<Date>`coalesce(
  (select min(e.created_time) from audit_log as e
   where e.plant_id = o.plant_id and e.action = 'support.end' and e.user_id = o.user_id and e.audit_id > o.audit_id
     and e.detail->>'endsTime' = o.detail->>'endsTime'),
  (o.detail->>'endsTime')::timestamptz, o.created_time)`;

/** The plant's support views, newest first. */
export const supportViews = async (db: Database, plantId: number, page: PageRequest): Promise<Page<SupportViewRow>> => {
  const views = db
    .selectFrom("audit_log as o")
    .where("o.plant_id", "=", plantId)
    .where("o.action", "=", "support.open");
  const { total } = await views.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await views
    .leftJoin("users as u", "u.user_id", "o.user_id")
    .select(["o.audit_id", "o.created_time", "u.email", end.as("ends_time")])
    .select([sql<string>`o.detail->>'madeBy'`.as("made_by"), sql<string>`o.detail->>'address'`.as("address")])
    .orderBy("o.audit_id", "desc")
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  const data = rows.map((row) => ({
    supportViewId: Number(row.audit_id),
    openedBy: row.made_by ?? "",
    email: row.email ?? "",
    address: row.address ?? "",
    openedTime: row.created_time,
    endsTime: row.ends_time,
  }));
  return pageOf(data, total, page);
};
