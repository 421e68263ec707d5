import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import type { AlarmRecipient, AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import type { AlertClass } from "@telltale/contract/domains/alerts";
import { sql } from "kysely";
import { userNameIn } from "../../access/index.ts";
import { containing, offsetOf, pageOf, when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

type Filter = Partial<Input<typeof alarms.list>>;

const alarmsOf = (db: Database, plantId: number) =>
  db
    .selectFrom("alarms as a")
    .innerJoin("devices as d", "d.device_id", "a.device_id")
    .leftJoin("channels as c", "c.channel_id", "a.channel_id")
    .leftJoin("settings_periods as p", (join) =>
      join.onRef("p.channel_id", "=", "a.channel_id").on("p.end_time", "is", null),
    )
    .where("a.plant_id", "=", plantId);

const filtered = (db: Database, plantId: number, classes: readonly AlertClass[], filter: Filter) => {
  const { alarmName, deviceSnId, alarmClass, createdStartTime, createdEndTime } = filter;
  const requested = alarmClass?.length ? classes.filter((each) => alarmClass.some((one) => one === each)) : classes;
  return alarmsOf(db, plantId)
    .where(sql<boolean>`a.alarm_class = any(${requested}::int[])`)
    .$call(when(alarmName, (q, text) => q.where("a.alarm_name", "ilike", containing(text))))
    .$call(when(deviceSnId, (q, text) => q.where("d.device_sn_id", "ilike", containing(text))))
    .$call(when(createdStartTime, (q, createdStartTime) => q.where("a.created_time", ">=", createdStartTime)))
    .$call(when(createdEndTime, (q, createdEndTime) => q.where("a.created_time", "<=", createdEndTime)));
};

const recipients = sql<AlarmRecipient[]>`coalesce((
  select json_agg(json_build_object('notifyUserId', n.contact_id, 'type', n.type, 'name', trim(n.first_name || ' ' || n.last_name),
                                    'contactInfo', n.contact_info, 'status', n.status)
                  order by n.first_name, n.last_name, n.contact_id)
    from alarm_recipients r join contacts n using (contact_id) where r.alarm_id = a.alarm_id), '[]')`;

const creator = sql<string>`coalesce((
  select ${userNameIn("u")} from accounts o join users u using (user_id) where o.account_id = a.created_by), '')`;

/** A column of the alarm's gate channel, its device or its settings; null without a gate. */
const ofGate = (column: string) => sql<
  string | null
>`(select ${sql.raw(column)} from channels g join devices gd on gd.device_id = g.device_id
  join settings_periods gp on gp.channel_id = g.channel_id and gp.end_time is null where g.channel_id = a.gate_channel_id)`;

const plan = sql<string>`coalesce((select plan_name from plans where plan_id = a.plan_id), '')`;

/** Selects the columns of an alarm's row. */
const shown = (query: ReturnType<typeof alarmsOf>) =>
  query
    .select(["a.alarm_id", "a.alarm_name", "a.alarm_class", "a.type", "a.alarm_value", "a.alarm_hysteresis"])
    .select(["a.priority", "a.response", "a.is_enabled"])
    .select(["a.condition", "a.on_delay", "a.off_delay", "a.times", "a.times_within"])
    .select(["a.gate_channel_id", "a.gate_type", "a.gate_value", "a.start_up"])
    .select([ofGate("g.channel_name").as("gate_channel"), ofGate("gd.device_name").as("gate_device")])
    .select(ofGate("gp.settings->>'unit'").as("gate_unit"))
    .select(["a.created_time", "a.version", "a.channel_id", "d.device_id", "d.device_name", "d.device_sn_id"])
    .select(["c.channel_name", recipients.as("recipients"), creator.as("creator")])
    .select(["a.plan_id", plan.as("plan_name")])
    .select(sql<string | null>`p.settings->>'unit'`.as("unit"))
    .select(sql<number | null>`(p.settings->>'analogId')::int`.as("analog_id"));

type Shown = Awaited<ReturnType<ReturnType<typeof shown>["executeTakeFirstOrThrow"]>>;

const rowOf = (alarm: Shown): AlarmRow => ({
  alarmId: alarm.alarm_id,
  alarmName: alarm.alarm_name,
  alarmClass: alarm.alarm_class,
  deviceId: alarm.device_id,
  deviceName: alarm.device_name,
  deviceSnId: alarm.device_sn_id,
  deviceChannelId: alarm.channel_id,
  channelName: alarm.channel_name,
  channelAnalogId: alarm.analog_id,
  unit: alarm.unit ?? "",
  condition: alarm.condition,
  type: alarm.type,
  alarmValue: alarm.alarm_value,
  alarmHysteresis: alarm.alarm_hysteresis,
  priority: alarm.priority,
  response: alarm.response,
  enabled: alarm.is_enabled ? 1 : 0,
  onDelay: alarm.on_delay,
  offDelay: alarm.off_delay,
  times: alarm.times,
  window: alarm.times_within,
  gateChannelId: alarm.gate_channel_id,
  gateChannelName: alarm.gate_channel ?? "",
  gateDeviceName: alarm.gate_device ?? "",
  gateUnit: alarm.gate_unit ?? "",
  gateType: alarm.gate_channel_id === null ? null : alarm.gate_type,
  gateValue: alarm.gate_value,
  startUp: alarm.start_up,
  notifyUserIds: alarm.recipients.map(({ notifyUserId }) => notifyUserId),
  notifyUsers: alarm.recipients,
  planId: alarm.plan_id,
  planName: alarm.plan_name,
  createdTime: alarm.created_time,
  createdBy: alarm.creator,
  version: alarm.version,
});

/** A page of the plant's alarms of these classes, newest first. */
export const alarmPage = async (
  db: Database,
  plantId: number,
  classes: readonly AlertClass[],
  filter: Input<typeof alarms.list>,
): Promise<Page<AlarmRow>> => {
  const query = filtered(db, plantId, classes, filter);
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await shown(query)
    .orderBy("a.created_time", "desc")
    .orderBy("a.alarm_id", "desc")
    .offset(offsetOf(filter))
    .limit(filter.size)
    .execute();
  return pageOf(rows.map(rowOf), total, filter);
};

/** One alarm of the plant; undefined when the id is unknown. */
export const alarmInfo = async (db: Database, plantId: number, alarmId: number): Promise<AlarmRow | undefined> => {
  const row = await shown(alarmsOf(db, plantId).where("a.alarm_id", "=", alarmId)).executeTakeFirst();
  return row && rowOf(row);
};

/** All alarms of the plant, ordered by name. */
export const alarmNames = async (db: Database, plantId: number) => {
  const rows = await alarmsOf(db, plantId)
    .select(["a.alarm_id", "a.alarm_name", "a.alarm_class", "d.device_name"])
    .orderBy("a.alarm_name")
    .orderBy("d.device_name")
    .orderBy("a.alarm_id")
    .execute();
  return rows.map((row) => ({
    alarmId: row.alarm_id,
    alarmName: row.alarm_name,
    alarmClass: row.alarm_class,
    deviceName: row.device_name,
  }));
};
