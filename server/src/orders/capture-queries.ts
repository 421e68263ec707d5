import type { DeviceType } from "@telltale/contract/devices";
import { type Selectable, sql } from "kysely";
import { audit } from "../database/audit.ts";
import type { Schema } from "../database/schema.ts";
import { type Notice, noticeChannel } from "../live/notices.ts";
import type { Database } from "../world.ts";
import type { Order } from "./queries.ts";
import { intervalLimit, serviceEndAfter } from "./rules.ts";

/** What became of an approved payment. */
export interface Capture {
  captureId: string;
  payerId: string;
  /** Who came back from the checkout. */
  userId: number;
  now: Date;
}

type Device = Selectable<Schema["devices"]>;

/** The order, still unpaid and nobody else's until the transaction ends. */
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

/** The device and its sub-devices, locked in the order of their numbers: two orders of one device follow each other. */
const lockDevices = (db: Database, deviceId: number): Promise<Device[]> =>
  db
    .selectFrom("devices")
    .selectAll()
    .where((eb) => eb.or([eb("device_id", "=", deviceId), eb("parent_device_id", "=", deviceId)]))
    .orderBy("device_id")
    .forNoKeyUpdate()
    .execute();

const renew = async (db: Database, device: Device, order: Order, expireTime: Date | null, now: Date): Promise<void> => {
  await db
    .updateTable("devices")
    .set({
      expire_time: expireTime,
      pay_time: now,
      report_interval_limit: intervalLimit(device.device_type as DeviceType, order.report_interval_limit),
    })
    .where("device_id", "=", device.device_id)
    .execute();
  const notice: Notice = { plantId: order.plant_id, deviceId: device.device_id };
  await sql`select pg_notify(${noticeChannel}, ${JSON.stringify(notice)})`.execute(db);
};

const writeAudit = (db: Database, order: Order, expireTime: Date | null, { userId, now }: Capture) => {
  const { order_sn: orderSn, device_id: deviceId, years, amount_cents: cents, currency } = order;
  const detail = { orderSn, deviceId, years, cents, currency, expireTime };
  return audit(db, { plantId: order.plant_id, userId, action: "order.capture", detail, now });
};

/**
 * Writes that an order is paid and extends the service of its device, sub-devices with it, in one transaction. Whoever comes second,
 * by repetition or in a race, changes nothing.
 */
export const saveCapture = (db: Database, orderId: number, capture: Capture): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const order = await takeOrder(transaction, orderId);
    if (!order) return;
    const devices = await lockDevices(transaction, order.device_id);
    const main = devices.find((device) => device.device_id === order.device_id);
    const expireTime = serviceEndAfter(main?.expire_time ?? null, order.years, capture.now);
    for (const device of devices) await renew(transaction, device, order, expireTime, capture.now);
    await markCaptured(transaction, order, expireTime, capture);
    await writeAudit(transaction, order, expireTime, capture);
  });
