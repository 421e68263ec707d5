import type { Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Tables of orders, payments and SMS credit. Part of `Schema`. */
export interface MoneyTables {
  service_packages: {
    package_id: number;
    report_interval_limit: number;
    storage_space: number;
    price_cents: number;
  };
  sms_packages: { package_id: number; sms_num: number; price_cents: number };
  orders: OrderTable;
  sms_credit: { plant_id: number; sms_left: number };
  ledger: {
    entry_id: Generated<number>;
    plant_id: number;
    kind: number;
    cents: Generated<number>;
    currency: Generated<string>;
    sms: Generated<number>;
    sms_left: number | null;
    order_id: number | null;
    message_id: number | null;
    created_time: Moment;
  };
  sandbox_payments: {
    payment_id: string;
    order_sn: string;
    amount_cents: number;
    currency: string;
    payer_id: string | null;
    capture_id: string | null;
    created_time: Moment;
  };
}

interface OrderTable {
  order_id: Generated<number>;
  order_sn: string;
  plant_id: number;
  account_id: number | null;
  /** 1: network services of a device, 2: SMS. Columns of the other kind are null. */
  kind: Generated<1 | 2>;
  device_id: number | null;
  device_name: string | null;
  device_sn_id: Generated<string>;
  package_id: number;
  report_interval_limit: number | null;
  storage_space: number | null;
  years: number | null;
  sms_num: number | null;
  amount_cents: number;
  currency: string;
  status: "created" | "approved" | "captured";
  payment_id: string | null;
  payer_id: string | null;
  capture_id: string | null;
  created_time: Moment;
  approved_time: NullableMoment;
  captured_time: NullableMoment;
  service_end: NullableMoment;
  /** When its payment began, and when the provider was last asked about it; null when the payment can no longer be completed. */
  begun_time: NullableMoment;
  asked_time: NullableMoment;
  /** When the provider last said that the money is under way. */
  pending_time: NullableMoment;
}
