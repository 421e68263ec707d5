import type { Checkout, PaidOrder, PayOption } from "@telltale/contract/domains/billing";
import type { Selectable } from "kysely";
import type { Database, Schema } from "../../../platform/database/schema/schema.ts";
import { OrderKind, type PayableDevice } from "./rules.ts";

export type Order = Selectable<Schema["orders"]>;

/** An order of network services, with its own fields set. */
export type ServiceOrder = Order & {
  device_id: number;
  device_name: string;
  report_interval_limit: number;
  storage_space: number;
  years: number;
};

export const isServiceOrder = (order: Order): order is ServiceOrder => order.kind === OrderKind.service;

/** A device of the plant with the fields needed for a purchase; undefined when the plant has no such device. */
export const payableDevice = async (
  db: Database,
  plantId: number,
  deviceId: number,
): Promise<(PayableDevice & { deviceSnId: string }) | undefined> => {
  const device = await db
    .selectFrom("devices")
    .leftJoin("devices as master", "master.device_id", "devices.parent_device_id")
    .select([
      "devices.device_name",
      "devices.device_sn_id",
      "devices.device_type",
      "devices.expire_time",
      "master.device_name as parent_name",
    ])
    .where("devices.plant_id", "=", plantId)
    .where("devices.device_id", "=", deviceId)
    .executeTakeFirst();
  return (
    device && {
      deviceName: device.device_name,
      deviceSnId: device.device_sn_id,
      deviceType: device.device_type,
      expireTime: device.expire_time,
      parentDeviceName: device.parent_name,
    }
  );
};

/** All offered packages, longest report interval first. */
export const payOptions = async (db: Database): Promise<PayOption[]> => {
  const rows = await db.selectFrom("service_packages").selectAll().orderBy("report_interval_limit", "desc").execute();
  return rows.map((row) => ({
    packageId: row.package_id,
    money: row.price_cents,
    storageSpace: row.storage_space,
    reportIntervalLimit: row.report_interval_limit,
  }));
};

const ordersOf = (db: Database, plantId: number) =>
  db.selectFrom("orders").selectAll("orders").where("orders.plant_id", "=", plantId);

/** An order of the plant by its number. */
export const orderByNumber = (db: Database, plantId: number, orderSn: string): Promise<Order | undefined> =>
  ordersOf(db, plantId).where("order_sn", "=", orderSn).executeTakeFirst();

/** An order of the plant by the provider's payment id. */
export const orderByPayment = (db: Database, plantId: number, paymentId: string): Promise<Order | undefined> =>
  ordersOf(db, plantId).where("payment_id", "=", paymentId).executeTakeFirst();

/** Records which payment an order waits for; approvals of other payments do not count. */
export const savePayment = async (db: Database, orderId: number, paymentId: string, now: Date): Promise<void> => {
  await db
    .updateTable("orders")
    .set({
      payment_id: paymentId,
      payer_id: null,
      status: "created",
      approved_time: null,
      begun_time: now,
      asked_time: now,
      pending_time: null,
    })
    .where("order_id", "=", orderId)
    .where("status", "<>", "captured")
    .where("payment_id", "is distinct from", paymentId)
    .execute();
};

/** Records that the buyer has approved the payment; a paid order is left unchanged. */
export const saveApproval = async (db: Database, orderId: number, payerId: string, now: Date): Promise<void> => {
  await db
    .updateTable("orders")
    .set({ status: "approved", payer_id: payerId, approved_time: now })
    .where("order_id", "=", orderId)
    .where("status", "=", "created")
    .execute();
};

/** An order as shown to its buyer for approval. */
export const checkoutOf = (order: Order): Checkout => ({
  orderSn: order.order_sn,
  total: order.amount_cents,
  service: isServiceOrder(order)
    ? {
        deviceName: order.device_name,
        deviceSnId: order.device_sn_id,
        reportIntervalLimit: order.report_interval_limit,
        storageSpace: order.storage_space,
        years: order.years,
      }
    : null,
  smsNum: order.sms_num,
});

/** What a paid order has delivered; undefined while it is unpaid. */
export const paidOrder = async (db: Database, orderId: number): Promise<PaidOrder | undefined> => {
  const order = await db
    .selectFrom("orders")
    .select(["order_sn", "device_name", "amount_cents", "service_end", "sms_num"])
    .where("order_id", "=", orderId)
    .where("status", "=", "captured")
    .executeTakeFirst();
  return (
    order && {
      orderSn: order.order_sn,
      total: order.amount_cents,
      deviceName: order.device_name,
      expireTime: order.service_end,
      smsNum: order.sms_num,
    }
  );
};

/** Content of a paid order's receipt; undefined while it is unpaid. */
export const receiptOf = async (db: Database, plantId: number, orderSn: string) => {
  const order = await ordersOf(db, plantId)
    .innerJoin("plants", "plants.plant_id", "orders.plant_id")
    .leftJoin("accounts", "accounts.account_id", "orders.account_id")
    .leftJoin("users", "users.user_id", "accounts.user_id")
    .select(["plants.name as plant_name", "users.email", "users.first_name", "users.last_name", "users.company"])
    .where("order_sn", "=", orderSn)
    .where("status", "=", "captured")
    .executeTakeFirst();
  return order;
};
export type Receipt = NonNullable<Awaited<ReturnType<typeof receiptOf>>>;

/** An order of any plant by the provider's payment id, for calls of the provider itself. */
export const anyOrderByPayment = (db: Database, paymentId: string): Promise<Order | undefined> =>
  db.selectFrom("orders").selectAll().where("payment_id", "=", paymentId).executeTakeFirst();

/** Number of the plant's payments that were begun since `since`, are not completed and still can be. */
export const begunPayments = async (db: Database, plantId: number, since: Date): Promise<number> => {
  const { count } = await ordersOf(db, plantId)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("status", "<>", "captured")
    .where("begun_time", ">=", since)
    .executeTakeFirstOrThrow();
  return count;
};

interface DueOrders {
  /** Orders whose payment began since, ... */
  begunSince: Date;
  /** ... or whose money was under way since. */
  pendingSince: Date;
  /** Only those that were not checked since. */
  requestedBefore: Date;
}

/** Orders whose payment can still be completed, least recently checked first. */
export const openOrders = (db: Database, { begunSince, pendingSince, requestedBefore }: DueOrders): Promise<Order[]> =>
  db
    .selectFrom("orders")
    .selectAll()
    .where("status", "<>", "captured")
    .where("payment_id", "is not", null)
    .where((is) => is.or([is("begun_time", ">=", begunSince), is("pending_time", ">=", pendingSince)]))
    .where("asked_time", "<", requestedBefore)
    .orderBy("asked_time")
    .limit(50)
    .execute();

/** Records that the provider was just asked about an order. */
export const recordCheck = async (db: Database, orderId: number, now: Date): Promise<void> => {
  await db.updateTable("orders").set({ asked_time: now }).where("order_id", "=", orderId).execute();
};

/** The unpaid order, if it still waits for this payment and not for a newer one. */
const unpaid = (db: Database, { order_id, payment_id }: Order) =>
  db
    .updateTable("orders")
    .where("order_id", "=", order_id)
    .where("payment_id", "=", payment_id)
    .where("status", "<>", "captured");

/** Records that the money of an order is under way. */
export const recordPending = async (db: Database, order: Order, now: Date): Promise<void> => {
  await unpaid(db, order).set({ pending_time: now }).execute();
};

/** Records that an order's payment can no longer be completed: it is not checked again. */
export const recordGone = async (db: Database, order: Order): Promise<void> => {
  await unpaid(db, order).set({ begun_time: null, asked_time: null, pending_time: null }).execute();
};
