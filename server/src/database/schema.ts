import type { ColumnType, Generated } from "kysely";

/** Kysely's picture of the tables; the migrations are the truth. Only what queries touch through Kysely. */

type Moment = ColumnType<Date, Date, Date>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface Schema {
  users: {
    user_id: Generated<number>;
    email: string;
    /** Null: invited, and not answered yet. */
    password_hash: string | null;
    first_name: Generated<string>;
    last_name: Generated<string>;
    company: Generated<string>;
    industry: Generated<string>;
    cell_number: Generated<string>;
    avatar: string | null;
    created_time: Moment;
  };
  plants: {
    plant_id: number;
    name: string;
    time_zone_id: Generated<string>;
    created_time: Moment;
    reserved_device_id: Generated<number | null>;
  };
  accounts: {
    account_id: Generated<number>;
    account_no: string;
    user_id: number;
    plant_id: number;
    role_type: number;
    alias: Generated<string>;
    parent_account_id: number | null;
    dashboard_id: number | null;
    activate: Generated<boolean>;
    login_time: NullableMoment;
    created_time: Moment;
    version: Generated<number>;
    removed_time: NullableMoment;
  };
  account_alarms: { account_id: number; alarm_id: number };
  sign_ins: {
    sign_in_id: Generated<number>;
    token_hash: Buffer;
    user_id: number;
    account_id: number;
    is_admin: Generated<boolean>;
    address: Generated<string>;
    user_agent: Generated<string>;
    created_time: Moment;
    used_time: Moment;
    ends_time: NullableMoment;
  };
  support_links: {
    token_hash: Buffer;
    account_id: number;
    created_time: Moment;
    expires_time: Moment;
    used_time: NullableMoment;
    made_by: Generated<string>;
  };
  mail_links: {
    secret_hash: Buffer;
    purpose: "registration" | "invitation" | "reset";
    email: string;
    detail: ColumnType<unknown, string | undefined, never>;
    created_time: Moment;
    expires_time: Moment;
  };
  outbox: {
    message_id: Generated<number>;
    plant_id: number | null;
    kind: number;
    recipient: string;
    subject: Generated<string>;
    body: ColumnType<unknown, string, never>;
    status: Generated<"waiting" | "sending" | "sent" | "kept" | "failed">;
    tries: Generated<number>;
    next_time: Moment;
    handed_over: Generated<boolean>;
    fault: Generated<string>;
    created_time: Moment;
    sent_time: NullableMoment;
  };
  avatars: { name: string; user_id: number; content: Buffer; created_time: Moment };
  second_factors: {
    user_id: number;
    secret: Buffer;
    is_on: Generated<boolean>;
    last_step: Generated<number>;
    recovery_codes: Generated<Buffer[]>;
    created_time: Moment;
  };
  owner_links: { token_hash: Buffer; created_time: Moment; expires_time: Moment };
  audit_log: {
    audit_id: Generated<string>;
    plant_id: number | null;
    user_id: number | null;
    action: string;
    detail: ColumnType<unknown, string | undefined, never>;
    created_time: Moment;
  };
  devices: DeviceTable;
  /** Kept by triggers, never written. */
  listed_devices: {
    device_id: number;
    plant_id: number | null;
    top_id: number;
    listed_time: NullableMoment;
    claimed_time: NullableMoment;
    expire_time: NullableMoment;
    pay_time: NullableMoment;
    is_active: boolean;
    is_online: boolean;
    open_alerts: number;
    standing: number;
    device_sn: string;
    device_sn_id: string;
    device_name: string;
  };
  channels: {
    channel_id: Generated<number>;
    device_id: number;
    channel_cn: string;
    channel_name: string;
    channel_type: number;
    group_name: string;
    position: number;
    channel_switch: Generated<boolean>;
  };
  settings_periods: {
    period_id: Generated<number>;
    channel_id: number;
    start_time: Moment;
    end_time: NullableMoment;
    settings: ColumnType<unknown, string, string>;
  };
  latest: { channel_id: number; ts: number; value: number; status: number; received_ts: number };
  alarms: {
    alarm_id: Generated<number>;
    plant_id: number;
    alarm_name: string;
    alarm_class: number;
    device_id: number;
    channel_id: number | null;
    type: number;
    alarm_value: number | null;
    alarm_hysteresis: number | null;
    created_by: number | null;
    created_time: Moment;
  };
  alerts: {
    alert_id: Generated<number>;
    plant_id: number;
    device_id: number;
    channel_id: number | null;
    alarm_id: number | null;
    alarm_class: number;
    alarm_type: number;
    status: number;
    value: number | null;
    value_unit: Generated<string>;
    threshold: number | null;
    report_interval: number | null;
    msg: Generated<string>;
    created_time: Moment;
    accept_time: NullableMoment;
    accepted_by: number | null;
    cleared_time: NullableMoment;
    rule_key: string;
  };
  dashboards: {
    dashboard_id: Generated<number>;
    plant_id: number;
    name: string;
    notes: Generated<string>;
    is_default: Generated<boolean>;
    created_by: number | null;
    created_time: Moment;
    modified_time: Moment;
    version: Generated<number>;
  };
  dashboard_groups: {
    group_id: Generated<number>;
    plant_id: number;
    device_id: number;
    name: string;
    icon: number;
    created_by: number | null;
    modified_time: Moment;
    version: Generated<number>;
  };
  dashboard_group_channels: { group_id: number; channel_id: number; position: number };
  dashboard_tiles: {
    tile_id: Generated<number>;
    dashboard_id: number;
    position: number;
    channel_id: number | null;
    group_id: number | null;
    device_id: number | null;
  };
  monthly_packages: {
    package_id: Generated<number>;
    device_id: number;
    month: number;
    start_time: Moment;
    end_time: Moment;
    bytes: number;
    created_time: Moment;
  };
  package_progress: { device_id: number; next_month: number; late_count: Generated<number> };
  downloads: {
    download_id: Generated<number>;
    plant_id: number;
    account_id: number;
    device_id: number;
    start_time: Moment;
    end_time: Moment;
    created_time: Moment;
  };
  service_packages: {
    package_id: number;
    report_interval_limit: number;
    storage_space: number;
    price_cents: number;
  };
  orders: OrderTable;
  sandbox_payments: {
    payment_id: string;
    order_sn: string;
    amount_cents: number;
    currency: string;
    payer_id: string | null;
    capture_id: string | null;
    created_time: Moment;
  };
  device_refusals: {
    device_id: number;
    day: string;
    reason: string;
    count: number;
    last_key: string;
    last_value: string;
    last_time: Moment;
  };
}

interface DeviceTable {
  device_id: Generated<number>;
  device_sn_id: string;
  device_sn: string;
  access_token: string;
  type_id: number;
  device_type: number;
  plant_id: number | null;
  parent_device_id: number | null;
  device_name: Generated<string>;
  time_zone_id: Generated<string>;
  created_time: Moment;
  claimed_time: NullableMoment;
  expire_time: NullableMoment;
  pay_time: NullableMoment;
  is_disabled: Generated<boolean>;
  offline_report: Generated<number>;
  periodicity: Generated<number>;
  report_interval_default: Generated<number>;
  report_interval_limit: Generated<number>;
  first_seen_time: NullableMoment;
  last_seen_time: NullableMoment;
  is_online: Generated<boolean>;
  firmware_version: string | null;
  power: number | null;
  wakeup_mode: string | null;
  temperature: number | null;
  humidity: number | null;
}

interface OrderTable {
  order_id: Generated<number>;
  order_sn: string;
  plant_id: number;
  account_id: number | null;
  device_id: number;
  device_name: string;
  package_id: number;
  report_interval_limit: number;
  storage_space: number;
  years: number;
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
}
