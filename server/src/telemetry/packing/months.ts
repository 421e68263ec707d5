import type { Pool, PoolClient } from "pg";

const hourLength = 3_600_000;

/** A month of `packed_hours`, or all that was packed before months were apart: the hours from `from` to `to` since the epoch, `to` excluded. */
export interface StoredMonth {
  table: string;
  /** Null: from the beginning. */
  from: number | null;
  to: number;
}

/** The month (UTC) of an hour since the epoch: years * 12 + months from 0. */
export const monthOfHour = (hour: number): number => {
  const date = new Date(hour * hourLength);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** First hour of a month, since the epoch. */
export const firstHourOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12) / hourLength;

const partitions = `
  SELECT relname::text AS table, substring(bounds FROM 'FROM \\(''?(-?[0-9]+)')::int AS "from", substring(bounds FROM 'TO \\(''?(-?[0-9]+)')::int AS "to"
    FROM (SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) AS bounds FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
           WHERE i.inhparent = 'packed_hours'::regclass) AS part
   ORDER BY "to"`;

/** The stored months, oldest first. */
export const storedMonths = async (client: Pick<Pool, "query">): Promise<StoredMonth[]> => {
  const { rows } = await client.query<StoredMonth>(partitions);
  return rows;
};

/** Advisory lock of creating and dropping months; an arbitrary number that must be the same in every version. */
const lockNumber = 8_021_979;

const nameOf = (month: number): string =>
  `packed_hours_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, "0")}`;

const isStored = (months: readonly StoredMonth[], hour: number): boolean =>
  months.some(({ from, to }) => (from ?? Number.NEGATIVE_INFINITY) <= hour && hour < to);

/** Created apart and attached, which blocks neither readers nor writers of the other months. */
export const createMonth = async (client: Pick<Pool, "query">, month: number): Promise<void> => {
  const table = nameOf(month);
  await client.query(
    `CREATE TABLE ${table} (LIKE packed_hours INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (toast_tuple_target = 128)`,
  );
  await client.query(
    `ALTER TABLE packed_hours ATTACH PARTITION ${table} FOR VALUES FROM (${firstHourOf(month)}) TO (${firstHourOf(month + 1)})`,
  );
};

/** Creates the months of these hours (since the epoch) where they are missing; in the transaction of `client`. */
export const createMonths = async (client: PoolClient, hours: readonly number[]): Promise<void> => {
  if (hours.length === 0) return;
  const areStored = async () => {
    const months = await storedMonths(client);
    return hours.every((hour) => isStored(months, hour));
  };
  if (await areStored()) return;
  await client.query("SELECT pg_advisory_xact_lock($1)", [lockNumber]);
  const months = await storedMonths(client);
  const missing = new Set(hours.filter((hour) => !isStored(months, hour)).map(monthOfHour));
  for (const month of missing) await createMonth(client, month);
};

/**
 * Drops a month if it is unused still when nobody can write into it any more; returns whether. Its disk space is free at once. Fails after two seconds
 * (55P03) when something reads packed hours, rather than holding up all who come later. In the transaction of `client`.
 */
export const dropMonth = async (
  client: PoolClient,
  { table }: StoredMonth,
  isUnused: () => Promise<boolean>,
): Promise<boolean> => {
  await client.query("SET LOCAL lock_timeout = '2s'");
  // Before the table's lock, as whoever creates a month takes them, which prevents a deadlock.
  await client.query("SELECT pg_advisory_xact_lock($1)", [lockNumber]);
  await client.query("LOCK TABLE ONLY packed_hours IN ACCESS EXCLUSIVE MODE");
  if (!(await isUnused())) return false;
  await client.query(`DROP TABLE ${table}`);
  return true;
};
