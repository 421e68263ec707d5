import { currency } from "@telltale/contract/domains/billing";
import type { BillingWorld } from "../modules/billing/index.ts";
import { saveOrder } from "../modules/billing/orders/new-order.ts";
import { orderByNumber, payOptions } from "../modules/billing/orders/queries.ts";
import { beginPayment } from "../modules/billing/orders/settle.ts";

type Needs = Pick<BillingWorld, "db" | "clock" | "payments">;

let count = 0;

/** Creates an order of a year of the first package for a device, with its payment started. */
export const anOrder = async (
  { db, clock, payments }: Needs,
  owner: { plantId: number; accountId: number },
  deviceId: number,
): Promise<{ orderSn: string; paymentId: string }> => {
  const [first] = await payOptions(db);
  if (!first) throw new Error("No package is on offer");
  count += 1;
  const orderSn = `test-${count}`;
  const { plantId, accountId } = owner;
  const ordered = {
    deviceId,
    deviceName: "Device",
    deviceSnId: "DEVICE",
    package: first,
    years: 1,
    total: first.money,
    currency,
  };
  await saveOrder(db, { orderSn, plantId, accountId, ...ordered, now: clock.date() });
  const order = await orderByNumber(db, plantId, orderSn);
  if (!order) throw new Error("The order was not saved");
  const { id } = await beginPayment({ db, clock, payments }, order);
  return { orderSn, paymentId: id };
};
