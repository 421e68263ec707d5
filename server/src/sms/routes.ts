import { currency } from "@telltale/contract/orders";
import type { sms } from "@telltale/contract/sms";
import type { Caller } from "../http/caller.ts";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import { newOrderNumber, saveSmsOrder } from "../orders/new-order-queries.ts";
import { checkSmsSale } from "../payments/sms-sale.ts";
import type { World } from "../world.ts";
import { creditOf, smsPackages, smsPurchases, smsUsage } from "./queries.ts";

type Needs = Pick<World, "db" | "clock" | "payments">;

const createOrder = async (needs: Needs, packageId: number, { plantId, accountId }: Caller) => {
  checkSmsSale(needs);
  const { db, clock } = needs;
  const chosen = (await smsPackages(db)).find((offer) => offer.packageId === packageId);
  if (!chosen) throw notFound("This package is not on offer. Please open the page again");
  const now = clock.date();
  const orderSn = newOrderNumber(now);
  await saveSmsOrder(db, { orderSn, plantId, accountId, now, total: chosen.money, currency, package: chosen });
  return { orderSn };
};

export const smsRoutes = (needs: Needs): Handlers<typeof sms> => ({
  left: async (_, { plantId }) => ({ leftSms: await creditOf(needs.db, plantId) }),
  packages: () => smsPackages(needs.db),
  usage: (asked, { plantId }) => smsUsage(needs.db, plantId, asked),
  purchases: (asked, { plantId }) => smsPurchases(needs.db, plantId, asked),
  create: ({ packageId }, caller) => createOrder(needs, packageId, caller),
});
