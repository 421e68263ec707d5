import type { Input } from "@telltale/contract/call/call";
import { currency, type orders, orderTotal, type sms } from "@telltale/contract/domains/billing";
import type { Database } from "../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { newOrderNumber, saveOrder, saveSmsOrder } from "./orders/new-order.ts";
import { orderByNumber, orderByPayment, paidOrder, payableDevice, payOptions, receiptOf } from "./orders/queries.ts";
import { receiptPdf } from "./orders/receipt-pdf.ts";
import { payError } from "./orders/rules.ts";
import { beginPayment, takePayment } from "./orders/settle.ts";
import { type BillingWorld, checkPayments } from "./payments/payments.ts";
import { creditOf, smsPackages, smsPurchases, smsUsage } from "./sms-credit/queries.ts";

export const smsRoutes = ({
  db,
  clock,
  payments,
}: Pick<BillingWorld, "db" | "clock" | "payments">): Handlers<typeof sms> => ({
  left: async (_, { plantId }) => ({ leftSms: await creditOf(db, plantId) }),
  packages: () => smsPackages(db),
  usage: (request, { plantId }) => smsUsage(db, plantId, request),
  purchases: (request, { plantId }) => smsPurchases(db, plantId, request),
  create: async ({ packageId }, { plantId, accountId }) => {
    checkPayments(payments);
    const chosen = (await smsPackages(db)).find((offer) => offer.packageId === packageId);
    if (!chosen) throw notFound("This package is not on offer. Please open the page again");
    const now = clock.date();
    const orderSn = newOrderNumber(now);
    await saveSmsOrder(db, { orderSn, plantId, accountId, now, total: chosen.money, currency, package: chosen });
    return { orderSn };
  },
});

type Needs = Pick<BillingWorld, "db" | "clock" | "payments">;

/** What can be bought for a device of the caller's plant. */
const offerFor = async (db: Database, { plantId }: Caller, deviceId: number) => {
  const device = await payableDevice(db, plantId, deviceId);
  if (!device) throw notFound();
  const validationError = payError(device);
  if (validationError) throw invalid(validationError);
  const { deviceName, deviceSnId } = device;
  return { deviceName, deviceSnId, options: await payOptions(db) };
};

const createOrder = async ({ db, clock, payments }: Needs, input: Input<typeof orders.create>, caller: Caller) => {
  checkPayments(payments);
  const { deviceId, packageId, storageSpace, year } = input;
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
  create: (input, caller) => createOrder(needs, input, caller),
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
    if (!paid) throw new Error(`Order ${order.order_sn} was captured but is not recorded as paid`);
    return paid;
  },
  receipt: async ({ orderSn }, { plantId }) => {
    const receipt = await receiptOf(needs.db, plantId, orderSn);
    if (!receipt) throw notFound("This order has not been paid");
    return { name: `Receipt ${orderSn}.pdf`, content: await receiptPdf(receipt) };
  },
});
