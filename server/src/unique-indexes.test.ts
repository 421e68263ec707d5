import { CallError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { plans } from "@telltale/contract/domains/alerting/escalation";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { deviceConfiguration, thirdPartyPartNumber } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { keyboard, personal } from "@telltale/contract/domains/people/personal";
import { registration } from "@telltale/contract/domains/people/registration";
import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { users } from "@telltale/contract/domains/people/users";
import { ContactType } from "@telltale/contract/notification-channels";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mark } from "./readings/index.ts";
import { aDevice, anUnclaimedDevice } from "./test/test-devices.ts";
import { aPlan } from "./test/test-escalation.ts";
import { linkTo } from "./test/test-mail.ts";
import { password, withPassword } from "./test/test-passwords.ts";
import { anOwner } from "./test/test-people.ts";
import { startTestServer, type TestServer } from "./test/test-server.ts";

let server: TestServer;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const owner = () => anOwner(server.world);
const anAddress = (): string => `twin.${++count}@example.test`;
const invited = (email: string) => ({ email, firstName: "New", lastName: "Member", cellNumber: "", type: Role.viewer });
const times = <T>(n: number, make: (n: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at));

/** Concurrent calls that hit one unique index, and how many of them succeed; the others are refused with what to do. */
const collisions: [index: string, what: string, done: number, calls: () => Promise<(() => Promise<unknown>)[]>][] = [
  [
    "users_email",
    "invitations of one new address by many plants",
    4,
    async () => {
      const email = anAddress();
      const owners = await Promise.all(times(4, owner));
      return owners.map((person) => () => server.as(person)(users.add, invited(email)));
    },
  ],
  [
    "users_email",
    "confirmations of registrations under one address",
    1,
    async () => {
      const email = anAddress();
      const { deviceSnId } = await anUnclaimedDevice(server.world);
      const input = { email, telltaleId: deviceSnId, password, confirmPassword: password, terms: "1" } as const;
      const codes = await Promise.allSettled(times(5, () => server.as()(registration.register, input)));
      expect(codes.map(({ status }) => status)).toEqual(times(5, () => "fulfilled"));
      const { accessToken } = await linkTo(server.world, email);
      return times(10, () => () => server.as()(registration.confirm, { email, accessToken }));
    },
  ],
  [
    "accounts_user_id_plant_id_key",
    "invitations of a new address by one plant",
    1,
    async () => {
      const [person, email] = [await owner(), anAddress()];
      return times(5, () => () => server.as(person)(users.add, invited(email)));
    },
  ],
  [
    "accounts_user_id_plant_id_key",
    "invitations of a known user by one plant",
    1,
    async () => {
      const [person, { email }] = [await owner(), await owner()];
      return times(5, () => () => server.as(person)(users.add, invited(email)));
    },
  ],
  [
    "contacts_once",
    "one contact added by many",
    1,
    async () => {
      const [person, contactInfo] = [await owner(), anAddress()];
      const input = { type: ContactType.mail, firstName: "Nora", lastName: "Q", contactInfo };
      return times(6, () => () => server.as(person)(contacts.add, input));
    },
  ],
  [
    "dashboards_default",
    "first dashboards of a plant",
    4,
    async () => {
      const person = await owner();
      const { channels } = await aDevice(server.world, person);
      const deviceChannelIds = [channels.AI1 ?? 0];
      return times(
        4,
        (n) => () => server.as(person)(dashboards.edit, { name: `Board ${n}`, notes: "", deviceChannelIds }),
      );
    },
  ],
  [
    "dashboards_default",
    "first devices of a plant, each of which would make its dashboard",
    4,
    async () => {
      const person = await owner();
      const units = await Promise.all(times(4, () => anUnclaimedDevice(server.world)));
      return units.map(
        ({ deviceSnId }) =>
          () =>
            server.as(person)(devices.add, { deviceSnId, deviceName: deviceSnId }),
      );
    },
  ],
  [
    "plans_default",
    "plans made the default at the same time",
    4,
    async () => {
      const person = await owner();
      const ids = await Promise.all(times(4, () => aPlan(server.world, person)));
      return ids.map((planId) => () => server.as(person)(plans.makeDefault, { planId }));
    },
  ],
  [
    "devices_modbus_address",
    "third-party devices under one address",
    1,
    async () => {
      const person = await owner();
      const { deviceId: parentDeviceId } = await aDevice(server.world, person);
      const input = { deviceSn: thirdPartyPartNumber, parentDeviceId, address: 7 } as const;
      return times(
        4,
        (n) => () => server.as(person)(deviceConfiguration.addThirdParty, { ...input, deviceName: `Motor ${n}` }),
      );
    },
  ],
  [
    "keyboard_shortcuts_user_id_keys_key",
    "shortcuts with the same keys",
    1,
    async () => {
      const person = await owner();
      return times(5, () => () => server.as(person)(keyboard.edit, { keys: "x d", target: "/devices" }));
    },
  ],
  [
    "keyboard_settings_pkey",
    "first choices about shortcuts",
    6,
    async () => {
      const person = await owner();
      return times(6, (n) => () => server.as(person)(keyboard.enable, { isOn: n % 2 === 0 }));
    },
  ],
  [
    "watched_channels_pkey",
    "additions of a channel to a watchlist",
    6,
    async () => {
      const person = await owner();
      const { channels } = await aDevice(server.world, person);
      const deviceChannelIds = [channels.AI1 ?? 0];
      return times(6, () => () => server.as(person)(personal.add, { deviceChannelIds }));
    },
  ],
  [
    "second_factors_pkey",
    "beginnings of a second factor",
    5,
    async () => {
      const person = await withPassword(server.world, await owner());
      return times(5, () => () => server.as(person)(secondFactor.begin, { password }));
    },
  ],
];

const random = "a secret or number of random bits, made for the row";
const once = "written with ON CONFLICT";
const oneWriter = "written by one job or lane of the one server, in turn";
const fixed = "rows of migrations only";

/** Indexes that concurrent calls cannot hit, and why. */
const apart: Record<string, string> = {
  accounts_account_no_key: "follows from a number of the sequence",
  plants_pkey: "follows from a number of the sequence",
  account_visits_pkey: once,
  alert_reports_pkey: once,
  silences_in_force: once,
  silences_of_masters: once,
  silence_devices_pkey: "rows of a window that the call has made, or holds locked",
  alarm_phases_pkey: once,
  account_alarms_pkey: "rows of an account that the call has made, or holds locked",
  push_subscriptions_account_id_endpoint_key: once,
  bridge_devices_pkey: "rows of a bridge that the call has made, or holds locked",
  alarm_webhooks_pkey: "rows of a webhook that the call has made, or holds locked",
  alarm_recipients_pkey: "rows of an alarm that the call has made, or holds locked",
  alerts_occurrences: once,
  alerts_open: once,
  arrivals_pkey: once,
  api_keys_key_hash_key: random,
  sql_users_role_name_key: once,
  avatars_pkey: random,
  clean_stops_pkey: once,
  nodes_pkey: once,
  tries_pkey: once,
  device_nodes_pkey: once,
  channels_device_id_channel_cn_key: "rows of a device that the transaction has made",
  contact_codes_pkey: once,
  contacts_stop_key_key: random,
  dashboard_group_channels_pkey: "rows of a group that the call has made, or holds locked",
  deleted_devices_pkey: "of a device whose row the deletion holds locked",
  device_refusals_pkey: once,
  device_settings_pkey: once,
  devices_access_token_key: "random, or a device's own, of which the second to come tries again",
  devices_device_sn_id_key: once,
  escalations_pkey: once,
  file_store_pkey: once,
  firmware_images_version: once,
  firmware_updates_open: once,
  disk_samples_pkey: once,
  hour_summaries_pkey: once,
  imports_open: once,
  joint_commands_waiting: "rules are settled one after the other, under a lock",
  device_versions_pkey: "made with its device, by a trigger",
  late_months_pkey: once,
  latest_pkey: once,
  ledger_message: oneWriter,
  ledger_order: "of an order whose row the capture holds locked",
  listed_devices_pkey: "kept by triggers, with ON CONFLICT",
  mail_links_pkey: random,
  monthly_packages_device_id_month_key: once,
  orders_capture_id_key: "the payment provider's, one for each payment",
  orders_order_sn_key: random,
  orders_payment_id_key: "the payment provider's, one for each order",
  outbox_folds_pkey: once,
  owner_links_pkey: random,
  package_progress_pkey: once,
  packed_hours_pkey: once,
  provisioned_devices_pkey: "of a device that the transaction has made",
  provisioned_devices_plant_id_serial_key: "registrations in a plant are made one after the other, under its lock",
  provisioning_keys_provision_key_key: random,
  readiness_pkey: once,
  sandbox_payments_capture_id_key: random,
  sandbox_payments_order_sn_key: once,
  sandbox_payments_pkey: random,
  schema_migrations_pkey: "migrations run one after the other, under a lock",
  service_packages_pkey: fixed,
  service_packages_report_interval_limit_key: fixed,
  service_reminders_pkey: oneWriter,
  serving_pkey: once,
  settings_periods_open: "of a channel whose device the save holds locked",
  shared_secrets_pkey: once,
  identities_pkey: once,
  identities_user_id_issuer_key: once,
  sign_ins_pkey: random,
  sso_flows_pkey: random,
  sms_credit_pkey: "made with its plant, by a trigger",
  sms_packages_pkey: fixed,
  sms_packages_sms_num_key: fixed,
  storage_notices_pkey: once,
  stored_months_pkey: once,
  support_links_pkey: random,
};

describe("a key that exists by now is never a fault of the server", () => {
  test("every unique index is tried, or nobody can collide there", async () => {
    const { rows } = await server.world.pool.query<{ name: string }>(
      `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        WHERE i.indisunique AND c.relnamespace = current_schema()::regnamespace AND NOT c.relispartition AND c.relname <> '${mark}'
          AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND a.attidentity <> '')
        ORDER BY 1`,
    );
    const known = new Set([...collisions.map(([index]) => index), ...Object.keys(apart)]);
    expect(rows.map(({ name }) => name)).toEqual([...known].sort());
  });

  test.each(collisions)("%s: of %s, %i are done", async (_index, _what, done, prepare) => {
    const calls = await prepare();
    const answers = await Promise.all(calls.map((call) => call().then(() => Code.success, codeOf)));
    expect(answers).not.toContain(Code.internal);
    expect(answers.filter((code) => code === Code.success)).toHaveLength(done);
  });
});

const codeOf = (fault: unknown): number => {
  if (fault instanceof CallError) return fault.code;
  throw fault;
};
