import type { SmsPackage, SmsPurchase, SmsUsage } from "@telltale/contract/domains/billing";
import { sql } from "kysely";
import { offsetOf, type PageRequest, pageOf } from "../../../platform/database/paging.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { Movement } from "./ledger.ts";

/** Remaining SMS credit of the plant. */
export const creditOf = async (db: Database, plantId: number): Promise<number> => {
  const credit = await db
    .selectFrom("sms_credit")
    .select("sms_left")
    .where("plant_id", "=", plantId)
    .executeTakeFirst();
  return credit?.sms_left ?? 0;
};

/** All offered SMS packages, smallest first. */
export const smsPackages = async (db: Database): Promise<SmsPackage[]> => {
  const rows = await db.selectFrom("sms_packages").selectAll().orderBy("sms_num").execute();
  return rows.map((row) => ({ packageId: row.package_id, smsNum: row.sms_num, money: row.price_cents }));
};

/** SMS used per month of a year in the plant's local time, newest first, without refunded ones, whenever they were refunded. */
export const smsUsage = async (db: Database, plantId: number, { year, ...page }: PageRequest & { year: number }) => {
  const start = (of: number) => sql`(make_date(${of}::int, 1, 1)::timestamp at time zone plants.time_zone_id)`;
  const months = await db
    .selectFrom("ledger as used")
    .innerJoin("plants", "plants.plant_id", "used.plant_id")
    .leftJoin("ledger as returned", (join) =>
      join.onRef("returned.message_id", "=", "used.message_id").on("returned.kind", "=", Movement.smsReturned),
    )
    .where("used.plant_id", "=", plantId)
    .where("used.kind", "=", Movement.smsUsed)
    .where("returned.entry_id", "is", null)
    .where(sql<boolean>`used.created_time >= ${start(year)} and used.created_time < ${start(year + 1)}`)
    .select(({ fn }) => [
      sql<string>`to_char(used.created_time at time zone plants.time_zone_id, 'YYYY-MM')`.as("time"),
      fn.countAll<number>().as("num"),
    ])
    .groupBy("time")
    .orderBy("time", "desc")
    .execute();
  const from = offsetOf(page);
  return pageOf<SmsUsage>(months.slice(from, from + page.size), months.length, page);
};

/** The plant's paid SMS purchases, newest first. */
export const smsPurchases = async (db: Database, plantId: number, page: PageRequest) => {
  const paid = db
    .selectFrom("orders")
    .where("orders.plant_id", "=", plantId)
    .where("orders.kind", "=", 2)
    .where("orders.status", "=", "captured");
  const [rows, { total }] = await Promise.all([
    paid
      .leftJoin("accounts", "accounts.account_id", "orders.account_id")
      .leftJoin("users", "users.user_id", "accounts.user_id")
      .select([
        "order_sn",
        "amount_cents",
        "sms_num",
        "captured_time",
        "orders.created_time",
        "email",
        "first_name",
        "last_name",
      ])
      .orderBy("captured_time", "desc")
      .orderBy("order_id", "desc")
      .limit(page.size)
      .offset(offsetOf(page))
      .execute(),
    paid.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  const purchases = rows.map(
    (row): SmsPurchase => ({
      orderSn: row.order_sn,
      email: row.email ?? "",
      nickname: [row.first_name, row.last_name].filter(Boolean).join(" "),
      payAmount: row.amount_cents,
      smsNum: row.sms_num ?? 0,
      createdTime: row.captured_time ?? row.created_time,
    }),
  );
  return pageOf(purchases, total, page);
};
