import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { AlertClass, type AlertType } from "@telltale/contract/domains/alerts";
import type {
  CommandStatus,
  JointCommand,
  JointEnding,
  JointRow,
  joint,
  OutputLevel,
} from "@telltale/contract/domains/joint";
import { sql } from "kysely";
import { containing, offsetOf, pageOf } from "../../platform/database/paging.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { type Newest, newestReadings } from "../../readings/index.ts";
import { shownStatus } from "../channels/rules.ts";
import { limitOf } from "./source-queries.ts";

/** SQL: whether the alert of rule `r` is open and its device still in the plant. */
export const holds = sql<boolean>`(
  exists (select 1 from channels sc join devices sd using (device_id) where sc.channel_id = r.source_channel_id and sd.plant_id = r.plant_id)
  and exists (select 1 from alerts e where e.cleared_time is null and e.rule_key = coalesce(r.source_key,
    (select concat_ws(':', ${AlertClass.custom}::int, a.alarm_id, a.channel_id, a.type) from alarms a where a.alarm_id = r.alarm_id))))`;

interface RuleRecord {
  joint_id: number;
  name: string;
  level: OutputLevel;
  ending: JointEnding;
  enabled: boolean;
  version: number;
  is_active: boolean;
  alarm_class: AlertClass;
  alarm_type: AlertType;
  alarm_id: number | null;
  alarm_name: string | null;
  threshold: number | null;
  unit: string;
  source_id: number;
  source_name: string;
  source_code: string;
  source_device_id: number | null;
  source_device: string | null;
  source_sn: string | null;
  output_id: number;
  output_name: string;
  output_code: string;
  output_device_id: number | null;
  output_device: string | null;
  output_sn: string | null;
  command_id: number | null;
  command_level: OutputLevel;
  command_status: CommandStatus;
  command_reason: string;
  command_created: Date;
  command_settled: Date | null;
}

/** A device that has left the plant is not named: it may belong to another plant by now. */
const rules = sql`
  select r.joint_id, r.name, r.level, r.ending, r.enabled, r.version, ${holds} as is_active, r.alarm_class, r.alarm_type, r.alarm_id,
         a.alarm_name, case when r.alarm_class = ${AlertClass.custom} then a.alarm_value else ${limitOf(sql`r.alarm_type`)} end as threshold,
         coalesce(p.settings->>'unit', '') as unit,
         c.channel_id as source_id, c.channel_name as source_name, c.channel_cn as source_code,
         d.device_id as source_device_id, d.device_name as source_device, d.device_sn_id as source_sn,
         o.channel_id as output_id, o.channel_name as output_name, o.channel_cn as output_code,
         od.device_id as output_device_id, od.device_name as output_device, od.device_sn_id as output_sn,
         n.command_id, n.level as command_level, n.status as command_status, n.reason as command_reason,
         n.created_time as command_created, n.settled_time as command_settled
    from joint_rules r
    left join alarms a on a.alarm_id = r.alarm_id
    join channels c on c.channel_id = coalesce(a.channel_id, r.source_channel_id)
    left join settings_periods p on p.channel_id = c.channel_id and p.end_time is null
    left join devices d on d.device_id = c.device_id and d.plant_id = r.plant_id
    join channels o on o.channel_id = r.output_channel_id
    left join devices od on od.device_id = o.device_id and od.plant_id = r.plant_id
    left join lateral (select * from joint_commands k where k.joint_id = r.joint_id order by command_id desc limit 1) n on true`;

const problemOf = (row: RuleRecord): string => {
  if (row.output_device_id === null) return "The output's device is no longer in this plant";
  if (row.alarm_class === AlertClass.custom && row.alarm_id === null) return "The alert that triggered it was deleted";
  if (row.source_device_id === null) return "The device that triggers it is no longer in this plant";
  return row.threshold === null ? "The limit that triggers it is no longer set" : "";
};

const rowOf = (row: RuleRecord, newest: Newest | undefined): JointRow => ({
  jointId: row.joint_id,
  name: row.name,
  source: {
    deviceChannelId: row.source_id,
    channelName: row.source_name,
    channelCn: row.source_code,
    deviceId: row.source_device_id,
    deviceName: row.source_device ?? "",
    deviceSnId: row.source_sn ?? "",
    alarmType: row.alarm_type,
    alarmId: row.alarm_id,
    alarmName: row.alarm_name ?? "",
    threshold: row.threshold,
    unit: row.unit,
  },
  output: {
    deviceChannelId: row.output_id,
    channelName: row.output_name,
    channelCn: row.output_code,
    deviceId: row.output_device_id,
    deviceName: row.output_device ?? "",
    deviceSnId: row.output_sn ?? "",
    value: row.output_device_id === null ? null : (newest?.value ?? null),
    status: shownStatus(newest, true),
  },
  level: row.level,
  ending: row.ending,
  enabled: row.enabled,
  isActive: row.is_active,
  problem: problemOf(row),
  last:
    row.command_id === null
      ? null
      : {
          commandId: row.command_id,
          level: row.command_level,
          status: row.command_status,
          createdTime: row.command_created,
          settledTime: row.command_settled,
          reason: row.command_reason,
        },
  version: row.version,
});

/** Adds the outputs' newest readings. */
const rowsOf = async (db: Database, records: readonly RuleRecord[]): Promise<JointRow[]> => {
  const newest = await newestReadings(
    runIn(db),
    records.map((row) => row.output_id),
  );
  return records.map((row) => rowOf(row, newest.get(row.output_id)));
};

/** A page of the plant's joint controls, filtered by name. */
export const jointPage = async (
  db: Database,
  plantId: number,
  filter: Input<typeof joint.list>,
): Promise<Page<JointRow>> => {
  const where = sql`r.plant_id = ${plantId} and r.name ilike ${containing(filter.name ?? "")}`;
  const counted = await sql<{ total: number }>`select count(*)::int as total from joint_rules r where ${where}`.execute(
    db,
  );
  const { rows } = await sql<RuleRecord>`
    ${rules} where ${where} order by r.joint_id offset ${offsetOf(filter)} limit ${filter.size}`.execute(db);
  return pageOf(await rowsOf(db, rows), counted.rows[0]?.total ?? 0, filter);
};

/** A joint control of the plant; undefined when the id is unknown. */
export const jointInfo = async (db: Database, plantId: number, jointId: number): Promise<JointRow | undefined> => {
  const { rows } = await sql<RuleRecord>`${rules} where r.plant_id = ${plantId} and r.joint_id = ${jointId}`.execute(
    db,
  );
  return (await rowsOf(db, rows))[0];
};

/** A page of a joint control's commands, newest first. */
export const jointLog = async (db: Database, filter: Input<typeof joint.log>): Promise<Page<JointCommand>> => {
  const commands = db.selectFrom("joint_commands").where("joint_id", "=", filter.jointId);
  const { total } = await commands.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await commands
    .select(["command_id", "level", "status", "created_time", "settled_time", "reason"])
    .orderBy("command_id", "desc")
    .offset(offsetOf(filter))
    .limit(filter.size)
    .execute();
  const data = rows.map((row) => ({
    commandId: row.command_id,
    level: row.level,
    status: row.status,
    createdTime: row.created_time,
    settledTime: row.settled_time,
    reason: row.reason,
  }));
  return pageOf(data, total, filter);
};
