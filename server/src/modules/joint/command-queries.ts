import { CommandStatus } from "@telltale/contract/domains/joint";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";

/** A due command with its target. */
export interface DueCommand {
  command_id: number;
  plant_id: number;
  level: number;
  tries: number;
  device_id: number;
  channel_cn: string;
}

/** Most commands per round. */
const atOnce = 200;

/** Due commands, oldest first, without those for devices that are disabled or have left the plant. */
export const dueCommands = async (db: Database, now: Date, besides: readonly number[]): Promise<DueCommand[]> => {
  const { rows } = await sql<DueCommand>`
    select k.command_id, k.plant_id, k.level, k.tries, d.device_id, c.channel_cn
      from joint_commands k
      join channels c on c.channel_id = k.output_channel_id
      join devices d on d.device_id = c.device_id and d.plant_id = k.plant_id
     where k.status = ${CommandStatus.waiting} and k.next_time <= ${now} and not d.is_disabled
       and k.command_id <> all(${besides}::bigint[])
     order by k.command_id limit ${atOnce}`.execute(db);
  return rows;
};

/** Records the result of a command, unless a newer one has replaced it. */
export const settleCommand = async (
  db: Database,
  commandId: number,
  outcome: { status?: CommandStatus; settled_time?: Date; reason?: string; tries?: number; next_time?: Date },
): Promise<void> => {
  await db
    .updateTable("joint_commands")
    .set(outcome)
    .where("command_id", "=", commandId)
    .where("status", "=", CommandStatus.waiting)
    .execute();
};

/**
 * Schedules the newest command again for outputs of devices that have just connected, and of their sub-devices: their state may have been lost with
 * the power supply. Only outputs that a rule still drives.
 */
export const repeatNewest = async (db: Database, deviceIds: readonly number[], now: Date): Promise<void> => {
  if (deviceIds.length === 0) return;
  await sql`
    update joint_commands set status = ${CommandStatus.waiting}, settled_time = null, reason = '', tries = 0, next_time = ${now}
     where status = ${CommandStatus.confirmed} and command_id in (
       select (select k.command_id from joint_commands k where k.output_channel_id = c.channel_id order by k.command_id desc limit 1)
         from channels c join devices d using (device_id)
        where (d.device_id = any(${deviceIds}::int[]) or d.parent_device_id = any(${deviceIds}::int[]))
          and exists (select 1 from joint_rules r where r.output_channel_id = c.channel_id and r.plant_id = d.plant_id and r.enabled))`.execute(
    db,
  );
};

/** Removes commands older than `before`, except the newest of each rule and output. */
export const deleteOldCommands = async (db: Database, before: Date): Promise<void> => {
  await sql`
    delete from joint_commands k
     where k.created_time < ${before} and k.status <> ${CommandStatus.waiting}
       and exists (select 1 from joint_commands n where n.output_channel_id = k.output_channel_id and n.command_id > k.command_id)
       and (k.joint_id is null or exists (select 1 from joint_commands n where n.joint_id = k.joint_id and n.command_id > k.command_id))`.execute(
    db,
  );
};
