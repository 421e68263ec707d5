import type { WebhookFormat } from "@telltale/contract/domains/alerting/webhooks";
import type { Analog, ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import type { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { ContactStatus } from "@telltale/contract/domains/people/contacts";
import type { ContactType } from "@telltale/contract/notification-channels";
import type { ColumnType, Generated, Kysely } from "kysely";
import type { AlarmTables } from "./alarm-tables.ts";
import type { BridgeTables } from "./bridge-tables.ts";
import type { JointTables } from "./joint-tables.ts";
import type { Moment, NullableMoment } from "./moment.ts";
import type { MoneyTables } from "./money-tables.ts";
import type { PeopleTables } from "./people-tables.ts";

/** Tables of contacts, which receive alerts besides users. Part of `Schema`. */
export interface ContactTables {
  contacts: {
    contact_id: Generated<number>;
    plant_id: number;
    type: ContactType;
    first_name: string;
    last_name: string;
    contact_info: string;
    status: Generated<ContactStatus>;
    stop_key: string;
    created_by: number | null;
    created_time: Moment;
    answered_time: NullableMoment;
    /** Whether it may confirm alerts by the link in its messages. */
    may_confirm: Generated<boolean>;
    version: Generated<number>;
  };
  alarm_recipients: { alarm_id: number; contact_id: number };
  contact_codes: { contact_id: number; code_hash: Buffer; tries: Generated<number>; expires_time: Moment };
  contact_requests: {
    request_id: Generated<number>;
    plant_id: number;
    type: ContactType;
    contact_info: string;
    created_time: Moment;
    refused_time: NullableMoment;
  };
}

/** Tables of webhooks, which alerts are posted to. Part of `Schema`. */
export interface WebhookTables {
  webhooks: {
    webhook_id: Generated<number>;
    plant_id: number;
    webhook_name: string;
    format: WebhookFormat;
    url: string;
    is_enabled: Generated<boolean>;
    may_confirm: Generated<boolean>;
    secret: Buffer;
    previous_secret: Buffer | null;
    replaced_time: NullableMoment;
    accepted_time: NullableMoment;
    failing_since: NullableMoment;
    fault: Generated<string>;
    /** When a failing one is tried again. */
    retry_time: NullableMoment;
    /** When its address was changed or its secret replaced; links of messages from before no longer work. */
    links_from: NullableMoment;
    created_by: number | null;
    created_time: Moment;
    version: Generated<number>;
  };
  alarm_webhooks: { alarm_id: number; webhook_id: number };
}

/** Tables of firmware images and updates. Part of `Schema`. */
export interface FirmwareTables {
  firmware_images: {
    image_id: Generated<number>;
    device_sn: string;
    version: string;
    version_order: number[];
    version_type: number;
    file: string;
    size: number;
    sha256: string;
    added_by: string;
    created_time: Moment;
    withdrawn_time: NullableMoment;
  };
  firmware_updates: {
    update_id: Generated<number>;
    plant_id: number;
    device_id: number;
    image_id: number;
    from_version: string | null;
    step: Generated<number>;
    chunk_size: number | null;
    chunks_sent: Generated<number>;
    asked_by: number | null;
    created_time: Moment;
    heard_time: Moment;
    ended_time: NullableMoment;
    failure: string | null;
  };
}

/** Tables of channel settings and their confirmation by devices. Part of `Schema`. */
export interface SettingsTables {
  settings_periods: {
    period_id: Generated<number>;
    channel_id: number;
    start_time: Moment;
    end_time: NullableMoment;
    settings: ColumnType<ChannelSettings, string, string>;
    version: Generated<number>;
  };
  device_settings: {
    device_id: number;
    version: Generated<number>;
    saved_time: NullableMoment;
    saved_by: number | null;
    confirmed_version: number | null;
    confirmed_time: NullableMoment;
  };
}

/** Kysely's types of the tables, as far as queries use them through Kysely; the migrations are authoritative. */
export interface Schema
  extends AlarmTables,
    BridgeTables,
    PeopleTables,
    ContactTables,
    FirmwareTables,
    JointTables,
    MoneyTables,
    SettingsTables,
    WebhookTables {
  devices: DeviceTable;
  /** Maintained by triggers, never written directly. */
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
    channel_type: ChannelType;
    group_name: string;
    position: number;
    channel_switch: Generated<boolean>;
  };
  latest: { channel_id: number; ts: number; value: number; status: number; received_ts: number };
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
    icon: Analog;
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
  package_progress: { device_id: number; next_month: number };
  late_months: { device_id: number; month: number; mark: Generated<number> };
  downloads: {
    download_id: Generated<number>;
    plant_id: number;
    account_id: number;
    device_id: number;
    start_time: Moment;
    end_time: Moment;
    created_time: Moment;
  };
  /** Files of past readings that are brought in. */
  imports: {
    import_id: Generated<number>;
    plant_id: number;
    digest: string;
    file_name: string;
    position: Generated<number>;
    line_count: Generated<number>;
    stored_count: Generated<number>;
    present_count: Generated<number>;
    refused_count: Generated<number>;
    device_ids: Generated<number[]>;
    created_by: number;
    created_time: Moment;
    stored_time: NullableMoment;
    ended_time: NullableMoment;
  };
  /** Deleted devices until all their data has been removed. */
  stored_months: { device_id: number; month: number; readings: number };
  storage_notices: { device_id: number; gigabytes: number; noticed_time: Moment };
  deleted_devices: { device_id: number; plant_id: number; deleted_time: Moment };
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
  type_id: Model;
  device_type: DeviceType;
  plant_id: number | null;
  parent_device_id: number | null;
  device_name: Generated<string>;
  time_zone_id: Generated<string>;
  created_time: Moment;
  claimed_time: NullableMoment;
  expire_time: NullableMoment;
  /** Readings before are kept as summaries of hours only; null when all are kept. */
  readings_from: NullableMoment;
  /** For how many months readings are kept; null: as long as the plant says. */
  months_kept: Generated<number | null>;
  pay_time: NullableMoment;
  is_used: Generated<boolean>;
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
  version: Generated<number>;
  modbus_address: number | null;
}

/** Queries typed by the schema; also a transaction. */
export type Database = Kysely<Schema>;
