import type { Input } from "@telltale/contract/call";
import { currency, type orders, orderTotal } from "@telltale/contract/orders";
import type { Caller } from "../http/caller.ts";
import type { Handlers } from "../http/mount.ts";
import { invalid, notFound } from "../http/refusal.ts";
import { checkPayments } from "../payments/payments.ts";
import type { Database, World } from "../world.ts";
import { newOrderNumber, saveOrder } from "./new-order-queries.ts";
import { orderByNumber, orderByPayment, paidOrder, payableDevice, payOptions, receiptOf } from "./queries.ts";
import { receiptPdf } from "./receipt-pdf.ts";
import { payComplaint } from "./rules.ts";
import { beginPayment, takePayment } from "./settle.ts";

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

const createOrder = async ({ db, clock, payments }: Needs, asked: Input<typeof orders.create>, caller: Caller) => {
  checkPayments(payments);
  const { deviceId, packageId, storageSpace, year } = asked;
  const { deviceName, deviceSnId, options } = await offerFor(db, caller, deviceId);
  const chosen = options.find((option) => option.packageId === packageId);
  if (!chosen) throw notFound("This package is not on offer. Please open the purchase again");
  if (chosen.storageSpace !== storageSpace) throw invalid("This package has changed. Please open the purchase again");
  const now = clock.date();
  const orderSn = newOrderNumber(now);
  const { plantId, accountId } = caller;
  const device = { deviceId, deviceName, deviceSnId };
  const price = { total: orderTotal(chosen.money, year), currency };
  await saveOrder(db, { orderSn, plantId, accountId, ...device, package: chosen, years: year, ...price, now });
  return { orderSn };
};

export const orderRoutes = (needs: Needs): Handlers<typeof orders> => ({
  prices: async ({ deviceId }, caller) => (await offerFor(needs.db, caller, deviceId)).options,
  create: (asked, caller) => createOrder(needs, asked, caller),
  pay: async ({ orderSn }, { plantId }) => {
    const order = await orderByNumber(needs.db, plantId, orderSn);
    if (!order) throw notFound();
    return beginPayment(needs, order);
  },
  settle: async ({ paymentId, payerId }, { plantId, userId }) => {
    const order = await orderByPayment(needs.db, plantId, paymentId);
    if (!order) throw notFound();
    await takePayment(needs, order, { payerId, userId });
    const paid = await paidOrder(needs.db, order.order_id);
    if (!paid) throw new Error(`Order ${order.order_sn} was paid and is not written down as such`);
    return paid;
  },
  receipt: async ({ orderSn }, { plantId }) => {
    const receipt = await receiptOf(needs.db, plantId, orderSn);
    if (!receipt) throw notFound("This order has not been paid");
    return { name: `Receipt ${orderSn}.pdf`, content: await receiptPdf(receipt) };
  },
});
