import type pg from "pg";
import { tablesOf } from "../backup/catalogue.ts";
import { encodeBlock } from "../readings/block.ts";

/** Rows per table; the last one may be a special case, such as deleted. */
const count = 3;

const settings = `'{"analogId":1,"unit":"bar","sensorType":4,"valueForm":1,"zero":0,"span":16,"lowerAlarm":1,"lowerHysteresis":0.1,"higherAlarm":8,"higherHysteresis":0.2,"reportInterval":60,"staticData":600}'`;

/** SQL value by column type; `:i` is the row's number. References point to the row with the same number. */
const byType: Record<string, string> = {
  smallint: ":i",
  integer: ":i",
  bigint: ":i",
  real: ":i",
  "double precision": ":i",
  boolean: "true",
  text: "':column :i'",
  jsonb: "'{}'",
  date: "'2026-01-0:i'",
  bytea: "'\\x0:i'",
  uuid: "gen_random_uuid()",
  "timestamp with time zone": "'2026-01-0:i 12:00Z'",
};

const moment = 1_767_225_600_000;

/** One reading of channel 1. */
const block = `'\\x${encodeBlock({
  deviceIds: [1],
  channelIds: [1],
  counts: [1],
  times: new Float64Array([moment]),
  values: new Float64Array([1]),
  statuses: new Uint8Array([1]),
  shown: new Uint8Array(1),
}).toString("hex")}'`;

/** Values for columns with checks, or with the values that screens show most. */
const byColumn: Record<string, string> = {
  "*.alarm_class": "1",
  "*.alarm_type": "1",
  "*.currency": "'USD'",
  "*.ended_time": "null",
  "*.end_time": "null",
  "*.failure": "null",
  "*.kind": "1",
  "*.level": "1",
  "*.months_kept": "null",
  "*.time_zone_id": "'UTC'",
  "*.withdrawn_time": "null",
  "accounts.parent_account_id": "null",
  "accounts.removed_time": "null",
  "accounts.role_type": "1",
  "alarms.condition": "1",
  "alarms.type": "1",
  "alerts.accept_time": "null",
  "alerts.accepted_by": "null",
  "alerts.cleared_time": "null",
  "alarm_phases.counted": "'{}'",
  "roster_swaps.instead_of": "'{}'",
  "silences.end_time": "'2026-01-0:i 13:00Z'",
  "alerts.status": "1",
  "channels.channel_cn": "'AI1'",
  "channels.channel_type": "1",
  "channels.group_name": "'AI'",
  "contacts.status": "1",
  "contacts.type": "1",
  "dashboard_tiles.device_id": "null",
  "dashboard_tiles.group_id": "null",
  "devices.device_sn": "'AIS-420-16'",
  "devices.device_type": "1",
  "devices.is_disabled": "false",
  "devices.modbus_address": "null",
  "devices.parent_device_id": "null",
  "devices.type_id": "1",
  "downloads.end_time": "'2026-01-0:i 13:00Z'",
  "firmware_images.sha256": "repeat('a', 64)",
  "*.device_group": "0",
  "batches.damage": "null",
  "batches.device_ids": "ARRAY[:i]",
  "batches.first_ts": String(moment),
  "batches.last_ts": String(moment),
  "batches.readings": block,
  "chunks.channel_id": "null",
  "chunks.damage": "null",
  "chunks.first_ts": String(moment),
  "chunks.hour": String(moment / 3_600_000),
  "chunks.last_ts": String(moment),
  "chunks.readings": block,
  "chunks.max": "null",
  "chunks.min": "null",
  "firmware_images.version_order": "'{1,0,0,0}'",
  "firmware_images.version_type": "2",
  "devices.readings_from": "null",
  "hour_summaries.count": "2",
  "hour_summaries.hour": "490000",
  "imports.device_ids": "ARRAY[:i]",
  "joint_commands.status": "2",
  "joint_rules.ending": "1",
  "mail_links.purpose": "'reset'",
  "monthly_packages.end_time": "'2026-01-31 23:59Z'",
  "monthly_packages.month": "24312",
  "orders.sms_num": "null",
  "orders.status": "'captured'",
  "orders.years": "1",
  "outbox.status": "'sent'",
  "packed_hours.count": "2",
  "packed_hours.hour": "490000",
  "packed_hours.minute_avg": "null",
  "packed_hours.minute_count": "null",
  "packed_hours.minute_counts": "null",
  "packed_hours.minute_max": "null",
  "packed_hours.minute_min": "null",
  "packed_hours.newest": "null",
  "packed_hours.newest_of": "null",
  "packed_hours.statuses": "null",
  "packed_hours.steps": "'{0,1000}'",
  "packed_hours.values": "'{1,2}'",
  "plants.reserved_device_id": "null",
  // Until 0031.
  "readings.status": "1",
  "readings.ts": "1767225600000 + :i",
  "second_factors.is_on": "false",
  "second_factors.recovery_codes": "'{}'",
  "settings_periods.settings": settings,
  "sign_ins.ends_time": "null",
  "sign_ins.is_admin": "false",
};

/** Tables with fewer rows: a deleted device is not shown, and some have one row. */
const onlyRow: Record<string, number> = { deleted_devices: 3, file_store: 1, readiness: 1, serving: 1 };

interface Column {
  name: string;
  type: string;
}

const columnsOf = async (client: pg.Client, table: string): Promise<Column[]> => {
  const { rows } = await client.query<Column>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  return rows;
};

const valueIn = (table: string, { name, type }: Column): string => {
  const value = byColumn[`${table}.${name}`] ?? byColumn[`*.${name}`] ?? byType[type];
  if (value === undefined) throw new Error(`Say in test-rows.ts what ${table}.${name} (${type}) holds`);
  return value.replaceAll(":column", name);
};

/** The tables in order of their references. */
const inOrder = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ table: string; needs: string }>(
    `SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS needs FROM pg_constraint
      WHERE contype = 'f' AND NOT condeferred AND conrelid <> confrelid`,
  );
  const names = (await tablesOf(client)).map(({ name }) => name);
  const sorted: string[] = [];
  const visit = (name: string): void => {
    if (sorted.includes(name)) return;
    for (const { needs } of rows.filter(({ table }) => table === name))
      if (!(name === "plants" && needs === "devices")) visit(needs);
    sorted.push(name);
  };
  for (const name of names) visit(name);
  return sorted;
};

/** The part of a partitioned table that its row belongs to; without one it has no place. */
const partOf: Record<string, string> = {
  packed_hours: "CREATE TABLE packed_hours_2025_11 PARTITION OF packed_hours FOR VALUES FROM (489576) TO (490296)",
};

const isPartitioned = async (client: pg.Client, table: string): Promise<boolean> =>
  (await client.query("SELECT FROM pg_class WHERE oid = $1::regclass AND relkind = 'p'", [table])).rowCount === 1;

/** Fills every table of the current schema, unless a migration or a trigger has. Plant 1 is account 1's of user 1. */
export const fillEveryTable = async (client: pg.Client): Promise<void> => {
  for (const table of await inOrder(client)) {
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    if (rows[0]?.n) continue;
    const part = partOf[table];
    if (part && (await isPartitioned(client, table))) await client.query(part);
    const columns = await columnsOf(client, table);
    const names = columns.map(({ name }) => `"${name}"`).join(", ");
    const values = columns.map((column) => valueIn(table, column)).join(", ");
    for (let i = 1; i <= count; i++)
      if ((onlyRow[table] ?? i) === i)
        await client.query(`INSERT INTO ${table} (${names}) VALUES (${values.replaceAll(":i", String(i))})`);
  }
};

/** Number of rows by table. */
export const rowCounts = async (client: pg.Client): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { name } of await tablesOf(client)) {
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
};
