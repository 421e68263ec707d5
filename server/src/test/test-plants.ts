import { AlertClass, AlertType } from "@telltale/contract/alerts";
import { DeviceType, Model } from "@telltale/contract/devices";
import type { World } from "../world.ts";
import { anAlert } from "./test-alerts.ts";
import { aContact } from "./test-contacts.ts";
import { aDashboard } from "./test-dashboards.ts";
import { aDevice, anUnclaimedDevice, type TestDevice } from "./test-devices.ts";
import { aJointControl } from "./test-joint.ts";
import { anOrder } from "./test-orders.ts";
import { anOwner, aViewer, type Person } from "./test-people.ts";

type Needs = Pick<World, "db" | "clock" | "payments">;

/** A plant that has one of every kind of row a call can name. */
export interface EverythingOfAPlant {
  owner: Person;
  /** Somebody whom the owner may edit and delete. */
  member: Person;
  main: TestDevice;
  motor: TestDevice;
  /** By the name of the field that a call takes it in. */
  ids: Record<string, unknown>;
  /** A sub-device that nobody has claimed. */
  freeUnit(): Promise<TestDevice>;
  /** A custom alarm of the plant, a new one each time: some calls delete theirs. */
  freshAlarm(): Promise<number>;
  /** All rows of the plant that a call could change. */
  snapshot(): Promise<unknown>;
}

const snapshotOf = ({ db }: Needs, plantId: number): Promise<unknown> =>
  Promise.all([
    db.selectFrom("devices").selectAll().where("plant_id", "=", plantId).orderBy("device_id").execute(),
    db.selectFrom("alerts").selectAll().where("plant_id", "=", plantId).orderBy("alert_id").execute(),
    db.selectFrom("alarms").selectAll().where("plant_id", "=", plantId).orderBy("alarm_id").execute(),
    db.selectFrom("contacts").selectAll().where("plant_id", "=", plantId).orderBy("contact_id").execute(),
    db.selectFrom("dashboards").selectAll().where("plant_id", "=", plantId).orderBy("dashboard_id").execute(),
    db.selectFrom("dashboard_groups").selectAll().where("plant_id", "=", plantId).orderBy("group_id").execute(),
    db.selectFrom("joint_rules").selectAll().where("plant_id", "=", plantId).orderBy("joint_id").execute(),
    db.selectFrom("watched_channels").selectAll().where("account_id", "=", plantId).orderBy("position").execute(),
    db.selectFrom("firmware_updates").selectAll().where("plant_id", "=", plantId).orderBy("update_id").execute(),
    db.selectFrom("downloads").selectAll().where("plant_id", "=", plantId).orderBy("download_id").execute(),
    db.selectFrom("orders").selectAll().where("plant_id", "=", plantId).orderBy("order_id").execute(),
    db
      .selectFrom("sign_ins")
      .select("sign_in_id")
      .where("account_id", "=", plantId)
      .where("is_admin", "=", false)
      .orderBy("sign_in_id")
      .execute(),
    db
      .selectFrom("accounts")
      .select(["account_id", "role_type", "alias", "activate", "dashboard_id"])
      .where("plant_id", "=", plantId)
      .orderBy("account_id")
      .execute(),
  ]);

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

/** A dashboard with a tile of a group, and what calls name of it. */
const aConfiguredDashboard = async (world: Needs, owner: Person, deviceId: number, channel: number) => {
  const group = { deviceId, name: "Currents", icon: 14, channels: [channel] };
  const dashboardId = await aDashboard(world, owner, { isDefault: true, groups: [group] });
  const tiles = world.db.selectFrom("dashboard_tiles").select(["tile_id", "group_id"]);
  const { tile_id, group_id } = await tiles.where("dashboard_id", "=", dashboardId).executeTakeFirstOrThrow();
  return { dashboardId, tileIds: [tile_id], dashboardGroupId: group_id, dashboardGroupIds: [group_id] };
};

/** A plant for tests that go through all calls: what a call can name by an id, exists in it. */
export const aPlantWithEverything = async (world: Needs): Promise<EverythingOfAPlant> => {
  const owner = await anOwner(world);
  const main = await aDevice(world, owner, { name: "Pump house" });
  const { deviceId } = main;
  const sub = { deviceType: DeviceType.sub, parentDeviceId: deviceId };
  const motor = await aDevice(world, owner, { model: Model.motorController, ...sub });
  const { AI1: channelId = 0 } = main.channels;
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
      channelId,
      deviceChannelIds: [phase],
      packLogId: await aPackage(world, deviceId),
      logId: await firstPeriod(world, channelId),
      alarmLogId: await anAlert(world, owner, { deviceId, channelId }),
      paymentId: (await anOrder(world, owner, deviceId)).paymentId,
      deviceIds: [motor.deviceId],
      alarmId,
      alarmIds: [alarmId],
      notifyUserId: await aContact(world, owner),
      notifyUserIds: [await aContact(world, owner)],
      ...(await aConfiguredDashboard(world, owner, motor.deviceId, phase)),
      ...(await aJointControl(world, owner, channelId)),
    },
    freshAlarm: () => anAlarm(world, owner, deviceId, channelId),
    freeUnit: () => anUnclaimedDevice(world, { deviceType: DeviceType.sub }),
    snapshot: () => snapshotOf(world, owner.plantId),
  };
};
