import type { Model } from "@telltale/contract/domains/devices";
import type { MessageKind } from "@telltale/contract/notification-channels";
import type { Role } from "@telltale/contract/permissions";
import type { ColumnType, Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Tables of users, accounts, sessions, outgoing messages and the audit log. Part of `Schema`. */
export interface PeopleTables {
  users: {
    user_id: Generated<number>;
    email: string;
    /** Null: invited and not registered yet. */
    password_hash: string | null;
    first_name: Generated<string>;
    last_name: Generated<string>;
    company: Generated<string>;
    industry: Generated<string>;
    cell_number: Generated<string>;
    avatar: string | null;
    /** Minutes of the local day; null without quiet hours. */
    quiet_from: number | null;
    quiet_to: number | null;
    quiet_zone: string | null;
    created_time: Moment;
  };
  plants: {
    plant_id: number;
    name: string;
    time_zone_id: Generated<string>;
    created_time: Moment;
    reserved_device_id: Generated<number | null>;
    first_sms: Generated<number>;
    /** For how many months readings are kept; null: as long as the operator says. */
    months_kept: Generated<number | null>;
  };
  accounts: {
    account_id: Generated<number>;
    account_no: string;
    user_id: number;
    plant_id: number;
    role_type: Role;
    alias: Generated<string>;
    parent_account_id: number | null;
    dashboard_id: number | null;
    activate: Generated<boolean>;
    login_time: NullableMoment;
    created_time: Moment;
    version: Generated<number>;
    invited_first_name: Generated<string>;
    invited_last_name: Generated<string>;
    invited_cell_number: Generated<string>;
    removed_time: NullableMoment;
  };
  account_alarms: { account_id: number; alarm_id: number };
  /** Keys by which programs act as a member. */
  api_keys: {
    api_key_id: Generated<number>;
    account_id: number;
    key_name: string;
    key_hash: Buffer;
    beginning: string;
    role_type: Role;
    is_read_only: boolean;
    created_time: Moment;
    /** Null: until it is revoked. */
    expires_time: NullableMoment;
    used_time: NullableMoment;
    used_address: Generated<string>;
  };
  /** Roles of PostgreSQL by which other programs read a plant. */
  sql_users: {
    sql_user_id: Generated<number>;
    plant_id: number;
    role_name: string;
    verifier: string;
    created_by: string;
    created_time: Moment;
    used_time: NullableMoment;
    used_address: Generated<string>;
  };
  /** Keys by which devices register themselves, and those that did. */
  provisioning_keys: {
    key_id: Generated<number>;
    plant_id: number;
    key_name: string;
    provision_key: string;
    secret_hash: Buffer;
    type_id: Model;
    device_limit: number;
    device_count: Generated<number>;
    refused_count: Generated<number>;
    last_used_time: NullableMoment;
    last_refused_time: NullableMoment;
    last_refusal: Generated<string>;
    created_by: number;
    created_time: Moment;
    expire_time: Moment;
    revoked_time: NullableMoment;
  };
  /** `key_id`: null of a device that is expected. */
  provisioned_devices: {
    device_id: number;
    key_id: number | null;
    plant_id: number;
    serial: string;
    announced_by: number | null;
    announced_key: Generated<string>;
  };
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
    by_sso: Generated<boolean>;
  };
  /** Users at an OpenID Connect provider. */
  identities: { issuer: string; subject: string; user_id: number; created_time: Moment };
  /** Sign-ins under way at the provider. */
  sso_flows: {
    state_hash: Buffer;
    browser_hash: Buffer;
    nonce: string;
    code_verifier: string;
    expires_time: Moment;
  };
  /** Browsers that get an account's alerts. */
  push_subscriptions: {
    push_id: Generated<number>;
    account_id: number;
    /** The browser's session; it may have expired and be gone. */
    sign_in_id: number | null;
    endpoint: string;
    public_key: Buffer;
    auth_secret: Buffer;
    user_agent: string;
    created_time: Moment;
    /** When the push service last accepted a message. */
    sent_time: NullableMoment;
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
    purpose: "registration" | "invitation" | "reset" | "contact";
    email: string;
    detail: ColumnType<unknown, string | undefined, never>;
    created_time: Moment;
    expires_time: Moment;
  };
  outbox: {
    message_id: Generated<number>;
    plant_id: number | null;
    kind: MessageKind;
    recipient: string;
    subject: Generated<string>;
    body: ColumnType<unknown, string, string>;
    status: Generated<"waiting" | "sending" | "sent" | "kept" | "failed" | "held" | "listed" | "skipped">;
    tries: Generated<number>;
    next_time: Moment;
    handed_over: Generated<boolean>;
    fault: Generated<string>;
    created_time: Moment;
    /** When it was sent, or kept. */
    sent_time: NullableMoment;
    /** The alert that it tells of. */
    alert_id: number | null;
    /** The round of the alert's plan, from 0; -1 of a message that it is back to normal. */
    round: Generated<number>;
    /** Why it is held for a summary: see `Hold`; 0 while it is not. */
    hold: Generated<number>;
    /** The summary that lists it. */
    digest_id: number | null;
  };
  /** Addresses whose messages are held, with the time of their summary. */
  outbox_folds: { plant_id: number; kind: MessageKind; recipient: string; hold: number; due_time: Moment };
  /** Secrets that all nodes share. */
  shared_secrets: { name: string; value: Buffer };
  avatars: { name: string; user_id: number; content: Buffer; created_time: Moment };
  second_factors: {
    user_id: number;
    secret: Buffer;
    is_on: Generated<boolean>;
    last_step: Generated<number>;
    recovery_codes: Generated<Buffer[]>;
    created_time: Moment;
  };
  sent_invitations: { invitation_id: Generated<number>; plant_id: number; sent_time: Moment };
  owner_links: { token_hash: Buffer; created_time: Moment; expires_time: Moment };
  audit_log: {
    audit_id: Generated<string>;
    plant_id: number | null;
    user_id: number | null;
    action: string;
    detail: ColumnType<Readonly<Record<string, unknown>>, string | undefined, never>;
    created_time: Moment;
  };
}
