import type { ClientBase, Pool } from "pg";
import type { Runner } from "../platform/database/runner.ts";
import { groupIn, groupOf } from "./groups.ts";

/**
 * A database in parts: Citus keeps the readings by device group on several servers, everything of a group on one of them. Per group: the number of its
 * server, from 0.
 */
type Parts = readonly number[];

/** Of the one database of this process; undefined when it is whole, as on one machine. */
let parts: Parts | undefined;

/** Names of the servers of `parts`, in their order. */
let names: readonly string[] = [];

/** A table that exists in a database in parts only: see `commitTogether`. */
export const mark = "both_sides";

const isMarked = `SELECT to_regclass('${mark}') IS NOT NULL AS is`;

const serversOfGroups = `
  SELECT dense_rank() OVER (ORDER BY p.groupid)::int - 1 AS server,
         (SELECT n.nodename || ':' || n.nodeport FROM pg_dist_node n WHERE n.groupid = p.groupid AND n.noderole = 'primary' LIMIT 1) AS name
    FROM generate_series(0, 63) AS g(id) JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('batches', g.id::int2)
   ORDER BY g.id`;

/** Learns whether the database is in parts, before anything else of this folder is used. Groups that are moved afterwards keep their lanes. */
export const findParts = async (pool: Pool | ClientBase): Promise<void> => {
  parts = undefined;
  names = [];
  const { rows: marked } = await pool.query<{ is: boolean }>(isMarked);
  if (!marked[0]?.is) return;
  const { rows } = await pool.query<{ server: number; name: string | null }>(serversOfGroups);
  parts = rows.map(({ server }) => server);
  names = Array.from(
    { length: serverCount() },
    (_, at) => rows.find(({ server }) => server === at)?.name ?? `server ${at}`,
  );
};

export const isInParts = (): boolean => parts !== undefined;

/** Number of servers that keep readings; 1 when the database is whole. */
export const serverCount = (): number => (parts ? Math.max(...parts) + 1 : 1);

/** Host and port of one of them, as they were at the start; undefined when the database is whole. */
export const serverName = (server: number): string | undefined => names[server];

/** Which of them keeps the readings of a device. */
export const serverOf = (deviceId: number): number => parts?.[groupOf(deviceId)] ?? 0;

/** Rows of all servers that answer, and the faults of those that do not. */
export interface Answers<T> {
  rows: T[];
  faults: unknown[];
}

/** The condition of a database that is not in parts. */
export const wholeDatabase = "true";

/** SQL: whether a server keeps the readings of the device in a column. */
export const isKeptBy = (server: number, column: string): string => {
  if (!parts) return wholeDatabase;
  const groups = [...parts.keys()].filter((group) => parts?.[group] === server);
  return `${groupIn(column)} IN (${groups.join(", ")})`;
};

/**
 * Asks each server on its own, so that one that is lost holds up only its own devices. The SQL condition that `ask` gets chooses the server's groups by
 * the column `device_group`; a whole database is asked once.
 */
export const askServers = async <T>(ask: (condition: string) => Promise<T[]>): Promise<Answers<T>> => {
  if (!parts) return { rows: await ask(wholeDatabase), faults: [] };
  const answers: Answers<T> = { rows: [], faults: [] };
  const servers = Map.groupBy(parts.keys(), (group) => parts?.[group] ?? 0);
  for (const groups of servers.values())
    await ask(`device_group IN (${groups.join(", ")})`).then(
      (rows) => answers.rows.push(...rows),
      (fault: unknown) => answers.faults.push(fault),
    );
  return answers;
};

/** Ids of devices by their group, groups ascending and the ids of each, too: in the same order by all who lock rows, which prevents deadlocks. */
export const byGroup = (deviceIds: readonly number[]): [group: number, deviceIds: number[]][] =>
  [
    ...Map.groupBy(
      deviceIds.toSorted((a, b) => a - b),
      groupOf,
    ),
  ].sort(([a], [b]) => a - b);

/**
 * Must be in every transaction that changes readings or versions and anything else. Without it Citus commits the one server and then the coordinator,
 * so that a crash in between would keep a reading and lose its alert. A change of a table that the coordinator keeps, even of no row, makes it prepare
 * the server's part, commit the coordinator's, and only then the server's: whoever sees a new version or reading then sees the rest, too.
 */
export const commitTogether = async (run: Runner): Promise<void> => {
  if (parts) await run.query({ text: `DELETE FROM ${mark} WHERE id = 0`, values: [] });
};
