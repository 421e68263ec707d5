import { randomBytes, randomUUID } from "node:crypto";
import { SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { WebhookFormat } from "@telltale/contract/domains/alerting/webhooks";
import { AlertClass, AlertPriority, AlertType } from "@telltale/contract/domains/alerts";
import { Analog } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { BridgeFormat } from "@telltale/contract/domains/readings/bridges";
import { Role } from "@telltale/contract/permissions";
import type { BillingWorld } from "../modules/billing/index.ts";
import { anAlert } from "./test-alerts.ts";
import { aContact } from "./test-contacts.ts";
import { aDashboard } from "./test-dashboards.ts";
import { aDevice, anUnclaimedDevice, type TestDevice } from "./test-devices.ts";
import { aPlan, aRoster, aSwap } from "./test-escalation.ts";
import { aJointControl } from "./test-joint.ts";
import { anOrder } from "./test-orders.ts";
import { anOwner, aViewer, type Person } from "./test-people.ts";
import { aProvisioningKey } from "./test-provisioning.ts";

type Needs = Pick<BillingWorld, "db" | "pool" | "clock" | "payments">;

/** A plant with one row of every kind that a call can refer to. */
export interface EverythingOfAPlant {
  owner: Person;
  /** A user whom the owner may edit and delete. */
  member: Person;
  main: TestDevice;
  motor: TestDevice;
  /** Ids by the calls' field names. */
  ids: Record<string, unknown>;
  /** An unclaimed sub-device. */
  freeUnit(): Promise<TestDevice>;
  /** Creates a custom alarm of the plant; a new one each time, as some calls delete theirs. */
  freshAlarm(): Promise<number>;
  /** Creates a silence that holds; a new one each time, as some calls end theirs. */
  freshSilence(): Promise<number>;
  /** Creates an escalation plan that is not the default; a new one each time, as some calls delete theirs. */
  freshPlan(): Promise<number>;
  /** Creates a roster that no plan notifies; a new one each time, as some calls delete theirs. */
  freshRoster(): Promise<number>;
  /** Creates a swap in a new roster. */
  freshSwap(): Promise<number>;
  /** Creates a webhook; a new one each time, as some calls delete theirs. */
  freshWebhook(): Promise<number>;
  /** Creates a bridge; a new one each time, as some calls delete theirs. */
  freshBridge(): Promise<number>;
  /** Subscribes a browser of the owner; a new one each time, as some calls delete theirs. */
  freshPush(): Promise<number>;
  /** Id of an API key that a call may revoke. */
  freshApiKey(): Promise<number>;
  /** All rows of the plant that a call could change. */
  snapshot(): Promise<unknown>;
}

/** SQL conditions that select the plant's rows, by the column that links a table to the plant. */
const ofPlant = {
  plant_id: "plant_id = $1",
  device_id: "device_id in (select device_id from devices where plant_id = $1)",
  channel_id: "channel_id in (select channel_id from channels join devices using (device_id) where plant_id = $1)",
  dashboard_id: "dashboard_id in (select dashboard_id from dashboards where plant_id = $1)",
  group_id: "group_id in (select group_id from dashboard_groups where plant_id = $1)",
  account_id: "account_id in (select account_id from accounts where plant_id = $1)",
  user_id: "user_id in (select user_id from accounts where plant_id = $1)",
};

/** Tables that any activity in the plant writes. */
const ownTraces = `(case when t.table_name = 'sign_ins' then '{used_time}' when t.table_name = 'accounts' then '{login_time}' else '{}' end)`;

/** Every row of every table that belongs to the plant, directly or indirectly. */
const snapshotOf = async ({ pool }: Needs, plantId: number): Promise<unknown> => {
  const { rows: tables } = await pool.query<{ name: string; columns: string[]; traces: string }>(`
    select t.table_name as name, array_agg(c.column_name::text) as columns, ${ownTraces} as traces
      from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE' group by t.table_name order by t.table_name`);
  const snapshot: Record<string, unknown> = {};
  for (const { name, columns, traces } of tables) {
    const [, condition] = Object.entries(ofPlant).find(([column]) => columns.includes(column)) ?? [];
    if (!condition) continue;
    const rows = `select to_jsonb(r) - '${traces}'::text[] as row from ${name} r where ${condition} order by 1`;
    snapshot[name] = (await pool.query<{ row: unknown }>(rows, [plantId])).rows.map(({ row }) => row);
  }
  return snapshot;
};

const firstPeriod = async ({ db }: Needs, channelId: number): Promise<number> => {
  const periods = db.selectFrom("settings_periods").select("period_id").where("channel_id", "=", channelId);
  return (await periods.executeTakeFirstOrThrow()).period_id;
};

const aPackage = async ({ db, clock }: Needs, deviceId: number): Promise<number> => {
  const now = clock.date();
  const month = { device_id: deviceId, month: 2026 * 12, start_time: now, end_time: now, bytes: 0, created_time: now };
  const rows = db.insertInto("monthly_packages").values(month).returning("package_id");
  return (await rows.executeTakeFirstOrThrow()).package_id;
};

const anAlarm = async ({ db, clock }: Needs, owner: Person, deviceId: number, channelId: number): Promise<number> => {
  const alarm = {
    alarm_name: "Flow",
    alarm_class: AlertClass.custom,
    type: AlertType.high,
    alarm_value: 50,
    alarm_hysteresis: 1,
  };
  const place = { plant_id: owner.plantId, device_id: deviceId, channel_id: channelId };
  const rows = db.insertInto("alarms").values({ ...alarm, ...place, created_time: clock.date() });
  return (await rows.returning("alarm_id").executeTakeFirstOrThrow()).alarm_id;
};

const aSilence = async ({ db, clock }: Needs, owner: Person, deviceId: number): Promise<number> => {
  const now = clock.date();
  const silence = {
    ...{ plant_id: owner.plantId, kind: SilenceKind.shelf, device_id: deviceId, priority: AlertPriority.medium },
    ...{ rule_key: randomUUID(), alarm_name: "Flow", reason: "Cleaning", created_by: owner.accountId },
    ...{ created_time: now, end_time: new Date(now.getTime() + 3_600_000) },
  };
  const rows = db.insertInto("silences").values(silence).returning("silence_id");
  return (await rows.executeTakeFirstOrThrow()).silence_id;
};

/** At an address that nothing listens on. */
const aWebhook = async ({ db, clock }: Needs, owner: Person): Promise<number> => {
  const webhook = { webhook_name: "ntfy", format: WebhookFormat.ntfy, url: "https://127.0.0.1:9/topic" };
  const rows = db
    .insertInto("webhooks")
    .values({ ...webhook, plant_id: owner.plantId, secret: Buffer.alloc(32), created_time: clock.date() });
  return (await rows.returning("webhook_id").executeTakeFirstOrThrow()).webhook_id;
};

/** At an address that nothing listens on. */
const aBridge = async ({ db, clock }: Needs, owner: Person): Promise<number> => {
  const broker = {
    bridge_name: "IT",
    url: "mqtts://127.0.0.1:9",
    user_name: "",
    password: "",
    client_id: "telltale",
    ca: "",
  };
  const told = {
    format: BridgeFormat.json,
    prefix: "plant",
    all_devices: true,
    sends_values: true,
    sends_alerts: true,
  };
  const rows = db
    .insertInto("bridges")
    .values({ ...broker, ...told, plant_id: owner.plantId, is_enabled: false, created_time: clock.date() });
  return (await rows.returning("bridge_id").executeTakeFirstOrThrow()).bridge_id;
};

const aPushBrowser = async ({ db, clock }: Needs, { accountId }: Person): Promise<number> => {
  const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`;
  const keys = { public_key: Buffer.alloc(65), auth_secret: Buffer.alloc(16), user_agent: "test" };
  const rows = db
    .insertInto("push_subscriptions")
    .values({ ...keys, account_id: accountId, endpoint, created_time: clock.date() });
  return (await rows.returning("push_id").executeTakeFirstOrThrow()).push_id;
};

const anApiKey = async ({ db, clock }: Needs, { accountId }: Person): Promise<number> => {
  const key = { key_name: "Reports", key_hash: randomBytes(32), beginning: "telltale_a", is_read_only: true };
  const rows = db
    .insertInto("api_keys")
    .values({ ...key, account_id: accountId, role_type: Role.viewer, created_time: clock.date() });
  return (await rows.returning("api_key_id").executeTakeFirstOrThrow()).api_key_id;
};

const anImport = async ({ db, clock }: Needs, { plantId, accountId }: Person): Promise<number> => {
  const file = { digest: "ab".repeat(32), file_name: "history.csv" };
  const rows = db
    .insertInto("imports")
    .values({ ...file, plant_id: plantId, created_by: accountId, created_time: clock.date() });
  return (await rows.returning("import_id").executeTakeFirstOrThrow()).import_id;
};

/** Creates a dashboard with a group's tile; returns their ids by the calls' field names. */
const aConfiguredDashboard = async (world: Needs, owner: Person, deviceId: number, channel: number) => {
  const group = { deviceId, name: "Currents", icon: Analog.other, channels: [channel] };
  const dashboardId = await aDashboard(world, owner, { isDefault: true, groups: [group] });
  const tiles = world.db.selectFrom("dashboard_tiles").select(["tile_id", "group_id"]);
  const { tile_id, group_id } = await tiles.where("dashboard_id", "=", dashboardId).executeTakeFirstOrThrow();
  return { dashboardId, tileIds: [tile_id], dashboardGroupId: group_id, dashboardGroupIds: [group_id] };
};

/** Creates a plant for tests of all calls: everything that a call can refer to by id exists in it. */
export const aPlantWithEverything = async (world: Needs): Promise<EverythingOfAPlant> => {
  const owner = await anOwner(world);
  const main = await aDevice(world, owner, { name: "Pump house" });
  const { deviceId } = main;
  const sub = { deviceType: DeviceType.sub, parentDeviceId: deviceId };
  const motor = await aDevice(world, owner, { model: Model.motorController, ...sub });
  const { AI1: channelId = 0, AI2: gateChannelId = 0 } = main.channels;
  const { "I A": phase = 0 } = motor.channels;
  const alarmId = await anAlarm(world, owner, deviceId, channelId);
  return {
    owner,
    member: await aViewer(world, owner),
    main,
    motor,
    ids: {
      accountId: owner.accountId,
      deviceId,
      parentDeviceId: deviceId,
      deviceChannelId: channelId,
      gateChannelId,
      channelId,
      deviceChannelIds: [phase],
      packLogId: await aPackage(world, deviceId),
      logId: await firstPeriod(world, channelId),
      alarmLogId: await anAlert(world, owner, { deviceId, channelId }),
      paymentId: (await anOrder(world, owner, deviceId)).paymentId,
      deviceIds: [motor.deviceId],
      alarmId,
      alarmIds: [alarmId],
      silenceId: await aSilence(world, owner, deviceId),
      notifyUserId: await aContact(world, owner),
      webhookId: await aWebhook(world, owner),
      bridgeId: await aBridge(world, owner),
      apiKeyId: await anApiKey(world, owner),
      provisioningKeyId: (await aProvisioningKey(world, owner)).provisioningKeyId,
      pushId: await aPushBrowser(world, owner),
      importId: await anImport(world, owner),
      notifyUserIds: [await aContact(world, owner)],
      ...(await aConfiguredDashboard(world, owner, motor.deviceId, phase)),
      ...(await aJointControl(world, owner, channelId)),
    },
    freshAlarm: () => anAlarm(world, owner, deviceId, channelId),
    freshWebhook: () => aWebhook(world, owner),
    freshBridge: () => aBridge(world, owner),
    freshApiKey: () => anApiKey(world, owner),
    freshPush: () => aPushBrowser(world, owner),
    freshSilence: () => aSilence(world, owner, deviceId),
    freshPlan: () => aPlan(world, owner),
    freshRoster: () => aRoster(world, owner),
    freshSwap: async () => aSwap(world, owner, await aRoster(world, owner)),
    freeUnit: () => anUnclaimedDevice(world, { deviceType: DeviceType.sub }),
    snapshot: () => snapshotOf(world, owner.plantId),
  };
};
