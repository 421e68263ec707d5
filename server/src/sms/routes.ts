import { currency } from "@telltale/contract/orders";
import type { sms } from "@telltale/contract/sms";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import { newOrderNumber, saveSmsOrder } from "../orders/new-order-queries.ts";
import { checkPayments } from "../payments/payments.ts";
import type { World } from "../world.ts";
import { creditOf, smsPackages, smsPurchases, smsUsage } from "./queries.ts";

export const smsRoutes = ({ db, clock, payments }: Pick<World, "db" | "clock" | "payments">): Handlers<typeof sms> => ({
  left: async (_, { plantId }) => ({ leftSms: await creditOf(db, plantId) }),
  packages: () => smsPackages(db),
  usage: (asked, { plantId }) => smsUsage(db, plantId, asked),
  purchases: (asked, { plantId }) => smsPurchases(db, plantId, asked),
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
