import { randomBytes } from "node:crypto";
import type { Input } from "@telltale/contract/call";
import { currency, type orders, orderTotal } from "@telltale/contract/orders";
import type { Caller } from "../http/caller.ts";
import type { Handlers } from "../http/mount.ts";
import { conflict, invalid, notFound } from "../http/refusal.ts";
import type { Database, World } from "../world.ts";
import { saveCapture } from "./capture-queries.ts";
import {
  type Order,
  orderByNumber,
  orderByPayment,
  paidOrder,
  payableDevice,
  payOptions,
  saveOrder,
  savePayment,
} from "./queries.ts";
import { orderNumber, payComplaint } from "./rules.ts";

type Needs = Pick<World, "db" | "clock" | "payments">;

/** What can be bought for a device of the caller's plant. */
const offerFor = async (db: Database, { plantId }: Caller, deviceId: number) => {
  const device = await payableDevice(db, plantId, deviceId);
  if (!device) throw notFound();
  const complaint = payComplaint(device);
  if (complaint) throw invalid(complaint);
  const { deviceName, deviceSnId } = device;
  return { deviceName, deviceSnId, options: await payOptions(db) };
};

const createOrder = async ({ db, clock }: Needs, asked: Input<typeof orders.create>, caller: Caller) => {
  const { deviceId, packageId, storageSpace, year } = asked;
  const { deviceName, deviceSnId, options } = await offerFor(db, caller, deviceId);
  const chosen = options.find((option) => option.packageId === packageId);
  if (!chosen) throw notFound("This package is not on offer. Please open the purchase again");
  if (chosen.storageSpace !== storageSpace) throw invalid("This package has changed. Please open the purchase again");
  const now = clock.date();
  const orderSn = orderNumber(now, randomBytes(4));
  await saveOrder(db, {
    orderSn,
    plantId: caller.plantId,
    accountId: caller.accountId,
    deviceId,
    deviceName,
    deviceSnId,
    package: chosen,
    years: year,
    total: orderTotal(chosen.money, year),
    currency,
    now,
  });
  return { orderSn };
};

const amountOf = (order: Order) => ({ cents: order.amount_cents, currency: order.currency });

const beginPayment = async ({ db, payments }: Needs, { plantId }: Caller, orderSn: string) => {
  const order = await orderByNumber(db, plantId, orderSn);
  if (!order) throw notFound();
  if (order.status === "captured") throw conflict("This order has been paid already");
  const payment = await payments.begin({ orderSn, amount: amountOf(order) });
  await savePayment(db, order.order_id, payment.id);
  return payment;
};

/** Takes the money first and writes it down then: should the server end in between, the same call takes nothing again and writes. */
const takePayment = async ({ db, clock, payments }: Needs, caller: Caller, order: Order, payerId: string) => {
  if (!(await payableDevice(db, order.plant_id, order.device_id)))
    throw conflict("The device of this order is no longer in this plant. Nothing was paid");
  const { captureId } = await payments.capture({ id: order.payment_id ?? "", payerId, amount: amountOf(order) });
  await saveCapture(db, order.order_id, { captureId, payerId, userId: caller.userId, now: clock.date() });
};

export const orderRoutes = (needs: Needs): Handlers<typeof orders> => ({
  prices: async ({ deviceId }, caller) => (await offerFor(needs.db, caller, deviceId)).options,
  create: (asked, caller) => createOrder(needs, asked, caller),
  pay: ({ orderSn }, caller) => beginPayment(needs, caller, orderSn),
  settle: async ({ paymentId, payerId }, caller) => {
    const order = await orderByPayment(needs.db, caller.plantId, paymentId);
    if (!order) throw notFound();
    if (order.status !== "captured") await takePayment(needs, caller, order, payerId);
    const paid = await paidOrder(needs.db, order.order_id);
    if (!paid) throw new Error(`Order ${order.order_sn} was paid and is not written down as such`);
    return paid;
  },
});
