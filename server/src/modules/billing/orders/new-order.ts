import { randomBytes } from "node:crypto";
import type { PayOption, SmsPackage } from "@telltale/contract/domains/billing";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { OrderKind, orderNumber } from "./rules.ts";

/** The common fields of a new, unpaid order. */
interface NewOrder {
  orderSn: string;
  plantId: number;
  accountId: number;
  /** Cents. */
  total: number;
  currency: string;
  now: Date;
}

interface NewServiceOrder extends NewOrder {
  deviceId: number;
  deviceName: string;
  deviceSnId: string;
  package: PayOption;
  years: number;
}

const written = ({ orderSn, plantId, accountId, total, currency, now }: NewOrder) => ({
  order_sn: orderSn,
  plant_id: plantId,
  account_id: accountId,
  amount_cents: total,
  currency,
  status: "created" as const,
  created_time: now,
});

/** A new, unique order number. */
export const newOrderNumber = (now: Date): string => orderNumber(now, randomBytes(4));

/** Inserts an order of network services. */
export const saveOrder = async (db: Database, order: NewServiceOrder): Promise<void> => {
  await db
    .insertInto("orders")
    .values({
      ...written(order),
      kind: OrderKind.service,
      device_id: order.deviceId,
      device_name: order.deviceName,
      device_sn_id: order.deviceSnId,
      package_id: order.package.packageId,
      report_interval_limit: order.package.reportIntervalLimit,
      storage_space: order.package.storageSpace,
      years: order.years,
    })
    .execute();
};

/** Inserts an order of SMS credit. */
export const saveSmsOrder = async (db: Database, order: NewOrder & { package: SmsPackage }): Promise<void> => {
  const { packageId, smsNum } = order.package;
  await db
    .insertInto("orders")
    .values({ ...written(order), kind: OrderKind.sms, package_id: packageId, sms_num: smsNum })
    .execute();
};
