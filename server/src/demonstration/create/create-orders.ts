import { currency } from "@telltale/contract/domains/billing";
import { intervalLimit } from "@telltale/contract/domains/devices";
import { Role } from "@telltale/contract/permissions";
import {
  bookPayment,
  creditOrder,
  newOrderNumber,
  orderByNumber,
  payOptions,
  saveOrder,
  saveSmsOrder,
  smsPackages,
} from "../../modules/billing/index.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { after, type Moment } from "../plants/moments.ts";
import { holderOf } from "../plants/people.ts";
import type { PlannedDevice, PlannedOrder } from "../plants/plan.ts";
import type { PlantDraft } from "./create-devices.ts";

const smsBought: Moment = [150, "16:08"];

/** Minutes from the order to the payment. */
const untilPaid = 2;

interface Paid {
  orderSn: string;
  /** The purchase as recorded in the audit log. */
  what: Record<string, unknown>;
  serviceEnd: Date | null;
  paid: Date;
}

/** Marks an order as paid by the sandbox checkout. Returns its id. */
const pay = async (db: Database, { plantId, people }: PlantDraft, { orderSn, what, serviceEnd, paid }: Paid) => {
  const order = await orderByNumber(db, plantId, orderSn);
  if (!order) throw new Error("The demonstration's order was not saved");
  const { order_id: orderId, amount_cents: cents } = order;
  const payment = { payment_id: `SANDBOX-${orderSn}`, payer_id: "PAYER", capture_id: `CAPTURE-${orderSn}` };
  await db
    .updateTable("orders")
    .set({ ...payment, status: "captured", approved_time: paid, captured_time: paid, service_end: serviceEnd })
    .where("order_id", "=", orderId)
    .execute();
  await bookPayment(db, { plantId, orderId, cents, now: paid });
  const { userId } = holderOf(people, Role.owner);
  await audit(db, {
    ...{ plantId, userId, action: "order.capture" },
    detail: { orderSn, cents, currency, ...what },
    now: paid,
  });
  return orderId;
};

/** Buys the SMS credit that the plant's alerts have used since. */
const buySms = async (db: Database, being: PlantDraft): Promise<void> => {
  const { plantId, people, moments } = being;
  const [chosen] = await smsPackages(db);
  if (!chosen) return;
  const now = moments.at(smsBought);
  const orderSn = newOrderNumber(now);
  const { accountId } = holderOf(people, Role.owner);
  await saveSmsOrder(db, { orderSn, plantId, accountId, total: chosen.money, currency, now, package: chosen });
  const paid = after(now, untilPaid);
  const what = { smsNum: chosen.smsNum };
  const orderId = await pay(db, being, { orderSn, what, serviceEnd: null, paid });
  await creditOrder(db, { plantId, orderId, sms: chosen.smsNum, now: paid });
};

/** Sets the report interval limit of the unit and its sub-devices to that of the package. */
const allowIntervals = async (db: Database, deviceId: number, ofPackage: number): Promise<void> => {
  const devices = await db
    .selectFrom("devices")
    .select(["device_id", "device_type"])
    .where(({ eb, or }) => or([eb("device_id", "=", deviceId), eb("parent_device_id", "=", deviceId)]))
    .execute();
  for (const { device_id, device_type } of devices)
    await db
      .updateTable("devices")
      .set({ report_interval_limit: intervalLimit(device_type, ofPackage) })
      .where("device_id", "=", device_id)
      .execute();
};

const buyService = async (
  db: Database,
  being: PlantDraft,
  { deviceSnId, name }: PlannedDevice,
  { on, years, reportIntervalLimit }: PlannedOrder,
): Promise<void> => {
  const { plantId, people, moments, made } = being;
  const option = (await payOptions(db)).find((each) => each.reportIntervalLimit === reportIntervalLimit);
  const deviceId = made.get(deviceSnId)?.deviceId;
  if (!option || deviceId === undefined) throw new Error(`The demonstration can't buy services for ${deviceSnId}`);
  const now = moments.at(on);
  const orderSn = newOrderNumber(now);
  const { accountId } = holderOf(people, Role.owner);
  const of = { deviceId, deviceName: name, deviceSnId, package: option, years };
  await saveOrder(db, { orderSn, plantId, accountId, total: option.money * years, currency, now, ...of });
  const device = await db
    .selectFrom("devices")
    .select("expire_time")
    .where("device_id", "=", deviceId)
    .executeTakeFirstOrThrow();
  const serviceEnd = device.expire_time;
  const what = { deviceId, years, expireTime: serviceEnd };
  await pay(db, being, { orderSn, what, serviceEnd, paid: after(now, untilPaid) });
  await allowIntervals(db, deviceId, reportIntervalLimit);
};

/** Creates the plant's purchases: services and SMS credit. Call it after the devices are created. */
export const makeOrders = async (db: Database, being: PlantDraft): Promise<void> => {
  await buySms(db, being);
  for (const device of being.plant.devices)
    for (const order of device.orders ?? []) await buyService(db, being, device, order);
};
