import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { channelTypes } from "@telltale/contract/channel-types/index";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass, type AlertType } from "@telltale/contract/domains/alerts";
import { ChannelType } from "@telltale/contract/domains/channels";
import type { JointOutput, JointSource, joint } from "@telltale/contract/domains/joint";
import { sql } from "kysely";
import { containing, offsetOf, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Channel types that can trigger a rule: all but outputs. */
const inputs = Object.values(channelTypes).filter(({ type }) => type !== ChannelType.digitalOutput);

const branches = inputs.flatMap(({ type, limits }) =>
  limits.map(
    ({ alarmType, setpoint, when }) => sql`
      when t.alarm_type = ${alarmType} and c.channel_type = ${type}
       and ${when ? sql`(p.settings->>${sql.lit(when.field)})::int = ${when.is}` : sql`true`}
      then (p.settings->>${sql.lit(setpoint)})::float8`,
  ),
);

/** SQL: the limit that a channel `c` with settings `p` has set for an alert type; null without one. */
export const limitOf = (alarmType: ReturnType<typeof sql>) =>
  sql<
    number | null
  >`(select case ${sql.join(branches, sql` `)} end from (values (${alarmType}::int)) as t(alarm_type))`;

const types = sql.join(
  [...new Set(inputs.flatMap(({ limits }) => limits.map(({ alarmType }) => alarmType)))].map(
    (type) => sql`(${type}::int)`,
  ),
);

/** Limits set on the plant's inputs, and its custom alarms. */
const sources = (plantId: number) => sql`
  select d.device_id, d.device_name, d.device_sn_id, c.channel_id, c.channel_name, c.channel_cn, c.position,
         p.settings->>'unit' as unit, t.alarm_type, null::int as alarm_id, '' as alarm_name, ${limitOf(sql`t.alarm_type`)} as threshold
    from devices d
    join channels c using (device_id)
    join settings_periods p on p.channel_id = c.channel_id and p.end_time is null
    cross join (values ${types}) as t(alarm_type)
   where d.plant_id = ${plantId} and ${limitOf(sql`t.alarm_type`)} is not null
  union all
  select d.device_id, d.device_name, d.device_sn_id, c.channel_id, c.channel_name, c.channel_cn, c.position,
         case when a.condition = ${AlarmCondition.rate} then concat(p.settings->>'unit', '/min') else p.settings->>'unit' end,
         a.type, a.alarm_id, a.alarm_name, a.alarm_value
    from alarms a
    join channels c on c.channel_id = a.channel_id
    join devices d on d.device_id = c.device_id
    join settings_periods p on p.channel_id = c.channel_id and p.end_time is null
   where a.plant_id = ${plantId} and d.plant_id = ${plantId} and a.alarm_class = ${AlertClass.custom} and a.alarm_value is not null`;

interface SourceRecord {
  device_id: number;
  device_name: string;
  device_sn_id: string;
  channel_id: number;
  channel_name: string;
  channel_cn: string;
  unit: string;
  alarm_type: AlertType;
  alarm_id: number | null;
  alarm_name: string;
  threshold: number;
  total: number;
}

/** A page of possible triggers. */
export const jointSources = async (
  db: Database,
  plantId: number,
  filter: Input<typeof joint.sources>,
): Promise<Page<JointSource>> => {
  const pattern = containing(filter.name ?? "");
  const { rows } = await sql<SourceRecord>`
    select *, count(*) over ()::int as total from (${sources(plantId)}) as s
     where channel_name ilike ${pattern} or channel_cn ilike ${pattern} or device_name ilike ${pattern}
        or device_sn_id ilike ${pattern} or alarm_name ilike ${pattern}
     order by device_name, device_id, position, channel_id, alarm_id nulls first, alarm_type
    offset ${offsetOf(filter)} limit ${filter.size}`.execute(db);
  const data = rows.map((row) => ({
    deviceChannelId: row.channel_id,
    channelName: row.channel_name,
    channelCn: row.channel_cn,
    deviceId: row.device_id,
    deviceName: row.device_name,
    deviceSnId: row.device_sn_id,
    alarmType: row.alarm_type,
    alarmId: row.alarm_id,
    alarmName: row.alarm_name,
    threshold: row.threshold,
    unit: row.unit,
  }));
  return pageOf(data, rows[0]?.total ?? 0, filter);
};

/** A page of the plant's digital outputs, each with the names of the enabled rules that drive it. */
export const jointOutputs = async (
  db: Database,
  plantId: number,
  filter: Input<typeof joint.outputs>,
): Promise<Page<JointOutput>> => {
  const pattern = containing(filter.name ?? "");
  const { rows } = await sql<JointOutput & { total: number }>`
    select c.channel_id as "deviceChannelId", c.channel_name as "channelName", c.channel_cn as "channelCn",
           d.device_id as "deviceId", d.device_name as "deviceName", d.device_sn_id as "deviceSnId",
           array(select r.name from joint_rules r
                  where r.output_channel_id = c.channel_id and r.plant_id = d.plant_id and r.enabled order by r.joint_id) as "drivenBy",
           count(*) over ()::int as total
      from devices d join channels c using (device_id)
     where d.plant_id = ${plantId} and c.channel_type = ${ChannelType.digitalOutput}
       and (c.channel_name ilike ${pattern} or c.channel_cn ilike ${pattern} or d.device_name ilike ${pattern} or d.device_sn_id ilike ${pattern})
     order by d.device_name, d.device_id, c.position, c.channel_id
    offset ${offsetOf(filter)} limit ${filter.size}`.execute(db);
  const data = rows.map(({ total: _, ...row }) => row);
  return pageOf(data, rows[0]?.total ?? 0, filter);
};

/** The channel and alarm that trigger a rule. */
export interface FoundSource {
  channel_id: number;
  alarm_type: AlertType;
  alarm_id: number | null;
  label: string;
}

/** Finds a trigger as the form names it; undefined when it is not in the plant, or not set. */
export const foundSource = async (
  db: Database,
  plantId: number,
  {
    alarmId,
    sourceChannelId,
    alarmType,
  }: { alarmId?: number | undefined; sourceChannelId?: number | undefined; alarmType?: number | undefined },
): Promise<(SourceRecord & FoundSource) | undefined> => {
  const { rows } = await sql<SourceRecord & FoundSource>`
    select *, device_name || ', ' || channel_name as label from (${sources(plantId)}) as s
     where case when ${alarmId ?? null}::int is not null then alarm_id = ${alarmId ?? null}::int
                else alarm_id is null and channel_id = ${sourceChannelId ?? null}::int and alarm_type = ${alarmType ?? null}::int end`.execute(
    db,
  );
  return rows[0];
};

/** Name of a digital output of the plant; undefined when there is none. */
export const foundOutput = async (db: Database, plantId: number, channelId: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom("channels")
    .innerJoin("devices", "devices.device_id", "channels.device_id")
    .where("channel_id", "=", channelId)
    .where("plant_id", "=", plantId)
    .where("channel_type", "=", ChannelType.digitalOutput)
    .select(["device_name", "channel_name"])
    .executeTakeFirst();
  return row && `${row.device_name}, ${row.channel_name}`;
};
