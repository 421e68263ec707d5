import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg, { type ClientBase, type Pool } from "pg";
import { codeOf } from "../../platform/fault.ts";
import { root } from "../../platform/installed.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { isInParts } from "../../readings/index.ts";
import { type SqlNames, sqlNamesOf, withDatabase } from "./names.ts";

const { escapeIdentifier: id, escapeLiteral: literal } = pg;

/** Where the database is, as Telltale's role and as one that may create roles and databases. */
export interface SqlPlace {
  databaseUrl: string;
  adminUrl: string;
}

/** Runs `work` in a session of its own. */
export const inSession = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  client.on("error", () => undefined); // the query that waits fails with it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const fileOf = (name: string): Promise<string> =>
  readFile(join(root, "server/src/modules/sql-access", `${name}-database.sql`), "utf8");

/**
 * What would fill the disk, and so stop the server: what a statement sorts or keeps there, and its errors, warnings and plans in PostgreSQL's log. Only a
 * superuser can change these settings.
 */
const diskLimits = ["temp_file_limit = '1GB'", "log_min_messages = 'fatal'", "log_min_error_statement = 'panic'"];

/** Most sessions of one SQL user; each may have a second one, of the reader, in Telltale's own database. */
const sessionsOfUser = 5;

export interface SqlLimits {
  /** The longest that a statement and a transaction of a SQL user may take, seconds. */
  statement: number;
  transaction: number;
  /** Most that notices may fill of PostgreSQL's queue, of which all databases have one, while a SQL user has a transaction open; a full one is 1. */
  notices: number;
}

/**
 * The limits as settings of the roles. A SQL user can change its own settings: what ends a session in the end is the watch (open.ts), and the reader's
 * settings, which nobody else can change.
 */
export const sqlLimits: SqlLimits = { statement: 30, transaction: 60, notices: 0.05 };

const isThere = async (client: ClientBase, catalogue: "pg_roles.rolname" | "pg_database.datname", name: string) => {
  const [table, column] = catalogue.split(".");
  return (await client.query(`SELECT FROM ${table} WHERE ${column} = $1`, [name])).rowCount === 1;
};

const createRoles = async (admin: ClientBase, { owner, reader, users }: SqlNames): Promise<void> => {
  for (const role of [owner, users])
    if (!(await isThere(admin, "pg_roles.rolname", role))) await admin.query(`CREATE ROLE ${id(role)} NOLOGIN`);
  if (!(await isThere(admin, "pg_roles.rolname", reader))) await admin.query(`CREATE ROLE ${id(reader)} LOGIN`);
  for (const setting of [
    `statement_timeout = '${sqlLimits.statement}s'`,
    "idle_in_transaction_session_timeout = '10s'",
    // A statement ends soon after the session that asked for it.
    "client_connection_check_interval = '1s'",
    ...diskLimits,
  ])
    await admin.query(`ALTER ROLE ${id(reader)} SET ${setting}`);
  // Otherwise it could not make objects of the owner, where it is no superuser.
  await admin.query(`GRANT ${id(owner)} TO CURRENT_USER`);
};

const createOffered = async (admin: ClientBase, { own, offered, reader, users }: SqlNames): Promise<void> => {
  if (!(await isThere(admin, "pg_database.datname", offered))) await admin.query(`CREATE DATABASE ${id(offered)}`);
  await admin.query(`REVOKE ALL ON DATABASE ${id(offered)} FROM PUBLIC`);
  await admin.query(`GRANT CONNECT ON DATABASE ${id(offered)} TO ${id(users)}`);
  await admin.query(`ALTER DATABASE ${id(offered)} SET search_path = telltale`);
  await admin.query(`REVOKE ALL ON DATABASE ${id(own)} FROM PUBLIC`);
  await admin.query(`GRANT CONNECT ON DATABASE ${id(own)} TO ${id(reader)}`);
};

/** The host under which PostgreSQL reaches itself: its socket's folder, or the loopback address. */
const selfOf = async (admin: ClientBase): Promise<{ host: string; port: string }> => {
  const { rows } = await admin.query<{ host: string; port: string }>(
    "SELECT coalesce(nullif(trim(split_part(current_setting('unix_socket_directories'), ',', 1)), ''), '127.0.0.1') AS host, current_setting('port') AS port",
  );
  const [self] = rows;
  if (!self) throw new Error("PostgreSQL does not say where it listens");
  return self;
};

/** Whether this was applied last: the digest is the comment of a schema. */
const isApplied = async (client: ClientBase, schema: string, digest: string): Promise<boolean> => {
  const { rows } = await client.query<{ is: boolean | null }>(
    "SELECT obj_description(to_regnamespace($1), 'pg_namespace') = $2 AS is",
    [schema, digest],
  );
  return rows[0]?.is === true;
};

/** Applies what the databases offer, unless both have it already: either may have been made anew without the other. */
const applyOffer = async (admin: ClientBase, { databaseUrl, adminUrl }: SqlPlace, names: SqlNames): Promise<void> => {
  const { owner, reader, own, offered } = names;
  const named = async (file: string) =>
    (await fileOf(file)).replaceAll("telltale_sql_owner", id(owner)).replaceAll("telltale_sql_reader", id(reader));
  const { host, port } = await selfOf(admin);
  const [ours, theirs] = [await named("own"), await named("offered")];
  const digest = createHash("sha256").update(ours).update(theirs).update(`${host} ${port}`).digest("hex");
  await inSession(withDatabase(adminUrl, offered), async (client) => {
    await inSession(databaseUrl, async (mine) => {
      if (await isApplied(mine, "sql_access", digest)) return;
      await mine.query(`BEGIN; ${ours} COMMENT ON SCHEMA sql_access IS '${digest}'; COMMIT`);
    });
    if (await isApplied(client, "telltale", digest)) return;
    const password = randomBytes(24).toString("base64url");
    await admin.query(`ALTER ROLE ${id(reader)} PASSWORD '${password}'`);
    const given = { host, port, database: own, user: reader, password };
    const text = Object.entries(given).reduce((all, [key, value]) => all.replace(`{{${key}}}`, literal(value)), theirs);
    await client.query(`BEGIN; ${text} COMMENT ON SCHEMA telltale IS '${digest}'; COMMIT`);
  });
};

const membersOf = `
  SELECT m.rolname AS role FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE g.rolname = $1 AND m.rolcanlogin`;

/** Ends a role's sessions and drops it with what it has in both databases: default privileges or large objects that it made itself would keep it. */
const dropRole = async (admin: ClientBase, { adminUrl }: SqlPlace, { offered }: SqlNames, role: string) => {
  await admin.query("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1", [role]);
  const dropOwned = `DROP OWNED BY ${id(role)}`;
  await inSession(withDatabase(adminUrl, offered), (client) => client.query(dropOwned));
  await admin.query(dropOwned);
  await admin.query(`DROP ROLE ${id(role)}`);
};

/** Makes the roles as the table of SQL users says: creates missing ones, and ends and drops those that are no longer in it. */
const agreeRoles = async (
  admin: ClientBase,
  pool: Pick<Pool, "query">,
  place: SqlPlace,
  names: SqlNames,
): Promise<void> => {
  const { offered, users } = names;
  const { rows: wanted } = await pool.query<{ role_name: string; verifier: string }>(
    "SELECT role_name, verifier FROM sql_users ORDER BY sql_user_id",
  );
  const { rows: members } = await admin.query<{ role: string }>(membersOf, [users]);
  for (const { role_name: name, verifier } of wanted) {
    const role = id(name);
    if (!members.some((member) => member.role === name))
      await admin.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${sessionsOfUser} IN ROLE ${id(users)}`);
    await admin.query(`ALTER ROLE ${role} PASSWORD ${literal(verifier)}`);
    // Also those of before: a newer version may limit more.
    for (const setting of [
      `statement_timeout = '${sqlLimits.statement}s'`,
      `idle_in_transaction_session_timeout = '${sqlLimits.transaction}s'`,
      "client_connection_check_interval = '1s'",
      "default_transaction_read_only = on",
      "max_parallel_workers_per_gather = 0",
      ...diskLimits,
    ])
      await admin.query(`ALTER ROLE ${role} IN DATABASE ${id(offered)} SET ${setting}`);
  }
  for (const { role } of members.filter((member) => !wanted.some(({ role_name }) => role_name === member.role)))
    await dropRole(admin, place, names, role);
};

/** Advisory lock: one process prepares at a time. An arbitrary number that must be the same in every version. */
const lockNumber = 8_021_983;

const refused = ["42501", "0LP01", "58P01", "0A000"];

/**
 * Creates the database that SQL users enter, or renews it after an upgrade or a restore, and agrees its roles with the table `sql_users`. Changes nothing
 * when all is as it should be. Throws an OperatorError that says what is missing when the role of `adminUrl` may not, and for a database in parts.
 */
export const prepareSqlAccess = async (place: SqlPlace, pool: Pick<Pool, "query">): Promise<void> => {
  // What reads for SQL users is another role, which the servers of the parts do not let in.
  if (isInParts()) throw new OperatorError("SQL users cannot read a database in parts: leave out SQL_PORT");
  const names = sqlNamesOf(place.databaseUrl);
  try {
    await inSession(place.adminUrl, async (admin) => {
      await admin.query("SELECT pg_advisory_lock($1)", [lockNumber]);
      await createRoles(admin, names);
      await createOffered(admin, names);
      await applyOffer(admin, place, names);
      await agreeRoles(admin, pool, place, names);
    });
  } catch (fault) {
    if (!refused.includes(codeOf(fault) ?? "")) throw fault;
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw new OperatorError(
      `SQL users need a role in DATABASE_URL that is a superuser, and PostgreSQL's extension dblink, for the database ${names.offered}: ${reason}`,
    );
  }
};
