import { intervalLimit } from "@telltale/contract/domains/devices";
import type { Selectable } from "kysely";
import { forgetLapsed } from "../../../alarms/index.ts";
import { notify } from "../../../platform/bus/device-notices.ts";
import { audit } from "../../../platform/database/audit.ts";
import type { Database, Schema } from "../../../platform/database/schema/schema.ts";
import { bookPayment, creditOrder } from "../sms-credit/ledger.ts";
import { isServiceOrder, type Order, type ServiceOrder } from "./queries.ts";
import { serviceEndAfter } from "./rules.ts";

/** Result of capturing an approved payment. */
export interface Capture {
  captureId: string;
  payerId: string;
  /** The user who returned from the checkout; null when the server settled the order by itself. */
  userId: number | null;
  now: Date;
}

type Device = Selectable<Schema["devices"]>;

/** Locks the order until the transaction ends, if it is still unpaid. */
const takeOrder = (db: Database, orderId: number) =>
  db
    .selectFrom("orders")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("status", "<>", "captured")
    .forUpdate()
    .executeTakeFirst();

const markCaptured = async (db: Database, order: Order, expireTime: Date | null, capture: Capture): Promise<void> => {
  await db
    .updateTable("orders")
    .set({
      status: "captured",
      capture_id: capture.captureId,
      payer_id: capture.payerId,
      approved_time: order.approved_time ?? capture.now,
      captured_time: capture.now,
      service_end: expireTime,
    })
    .where("order_id", "=", order.order_id)
    .execute();
};

/** The current device row of the order's unit: a unit gets a new row when it is deleted from its plant. */
const rowOfUnit = async (db: Database, order: ServiceOrder): Promise<number> => {
  const unit = await db
    .selectFrom("devices")
    .select("device_id")
    .where("device_sn_id", "=", order.device_sn_id)
    .executeTakeFirst();
  return unit?.device_id ?? order.device_id;
};

/**
 * Locks the device and its sub-devices, so that concurrent orders of one device are serialised. The device first, in a statement of its own: who adds
 * a sub-device holds it meanwhile, and only a statement that begins afterwards sees the new one.
 */
const lockDevices = async (db: Database, deviceId: number): Promise<Device[]> => {
  const devices = db.selectFrom("devices").selectAll().orderBy("device_id").forNoKeyUpdate();
  const main = await devices.where("device_id", "=", deviceId).execute();
  const subDevices = await devices.where("parent_device_id", "=", deviceId).execute();
  return [...main, ...subDevices];
};

const renew = async (
  db: Database,
  device: Device,
  order: ServiceOrder,
  expireTime: Date | null,
  now: Date,
): Promise<void> => {
  await db
    .updateTable("devices")
    .set({
      expire_time: expireTime,
      pay_time: now,
      report_interval_limit: intervalLimit(device.device_type, order.report_interval_limit),
    })
    .where("device_id", "=", device.device_id)
    .execute();
  const { plant_id: plantId, device_id: deviceId } = device;
  if (plantId !== null) await notify(db, { plantId, deviceId });
};

/** Extends the service of an order's device and its sub-devices; returns the new end. */
const extendService = async (db: Database, order: ServiceOrder, now: Date): Promise<Date | null> => {
  const deviceId = await rowOfUnit(db, order);
  await forgetLapsed(db, deviceId, now);
  const devices = await lockDevices(db, deviceId);
  const main = devices.find((device) => device.device_id === deviceId);
  // Deleted between the two statements: the unit's new row continues the service.
  if (main?.device_sn_id !== order.device_sn_id && (await rowOfUnit(db, order)) !== deviceId)
    return extendService(db, order, now);
  const expireTime = serviceEndAfter(main?.expire_time ?? null, order.years, now);
  for (const device of devices) await renew(db, device, order, expireTime, now);
  return expireTime;
};

const writeAudit = (db: Database, order: Order, expireTime: Date | null, { userId, now }: Capture) => {
  const { order_sn: orderSn, amount_cents: cents, currency } = order;
  const what = isServiceOrder(order)
    ? { deviceId: order.device_id, years: order.years, expireTime }
    : { smsNum: order.sms_num };
  const detail = { orderSn, cents, currency, ...what };
  return audit(db, { plantId: order.plant_id, userId, action: "order.capture", detail, now });
};

/**
 * Marks an order as paid and delivers the purchase in one transaction: extends the device's service or adds the SMS credit. Idempotent, also under
 * concurrent calls.
 */
export const saveCapture = (db: Database, orderId: number, capture: Capture): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const order = await takeOrder(transaction, orderId);
    if (!order) return;
    const { now } = capture;
    const { plant_id: plantId, amount_cents: cents } = order;
    await bookPayment(transaction, { plantId, orderId, cents, now });
    let expireTime: Date | null = null;
    if (isServiceOrder(order)) expireTime = await extendService(transaction, order, now);
    else await creditOrder(transaction, { plantId, orderId, sms: order.sms_num ?? 0, now });
    await markCaptured(transaction, order, expireTime, capture);
    await writeAudit(transaction, order, expireTime, capture);
  });
