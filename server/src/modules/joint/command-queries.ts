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

/**
 * Due commands, without those for devices that are disabled or have left the plant: first one of each plant, then a second one of each, so that a
 * plant with many outputs that do not answer delays nobody else's. An output has one waiting command, so that there are not many to sort.
 */
export const dueCommands = async (db: Database, now: Date, besides: readonly number[]): Promise<DueCommand[]> => {
  const { rows } = await sql<DueCommand>`
    select k.command_id, k.plant_id, k.level, k.tries, d.device_id, c.channel_cn
      from joint_commands k
      join channels c on c.channel_id = k.output_channel_id
      join devices d on d.device_id = c.device_id and d.plant_id = k.plant_id
     where k.status = ${CommandStatus.waiting} and k.next_time <= ${now} and not d.is_disabled
       and k.command_id <> all(${besides}::bigint[])
     order by row_number() over (partition by k.plant_id order by k.next_time, k.command_id), k.next_time limit ${atOnce}`.execute(
    db,
  );
  return rows;
};

/** Makes the waiting commands due that wait for devices which have just connected, and for their sub-devices. */
const awaken = async (db: Database, deviceIds: readonly number[], now: Date): Promise<void> => {
  await sql`
    update joint_commands set next_time = ${now}
     where status = ${CommandStatus.waiting} and next_time > ${now} and output_channel_id in (
       select c.channel_id from channels c join devices d using (device_id)
        where d.device_id = any(${deviceIds}::int[]) or d.parent_device_id = any(${deviceIds}::int[]))`.execute(db);
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
 * Schedules the newest command for outputs of devices that accept commands now, and of their sub-devices: one that waits for them at once; after an
 * absence (the map's value) a confirmed one again, because their state may have been lost with the power supply. Only outputs that a rule still drives.
 */
export const repeatNewest = async (db: Database, devices: ReadonlyMap<number, boolean>, now: Date): Promise<void> => {
  if (devices.size === 0) return;
  await awaken(db, [...devices.keys()], now);
  const deviceIds = [...devices].flatMap(([deviceId, wasAway]) => (wasAway ? [deviceId] : []));
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
