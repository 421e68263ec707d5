import type pg from "pg";

const name = "telltale";

/** Enables LZ4 compression if this build of PostgreSQL has it. */
const useLz4 = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings where name in ('default_toast_compression', 'wal_compression') and 'lz4' = any(enumvals) and setting <> 'lz4'`,
  );
  for (const setting of rows) await client.query(`alter system set ${setting.name} = 'lz4'`);
  if (rows.length > 0) await client.query("select pg_reload_conf()");
};

/** Creates the server's role and database, once. The role is no superuser; it owns only its database. */
export const provision = async (client: pg.Client, password: string): Promise<void> => {
  const { rows } = await client.query<{ exists: boolean }>(
    "select exists (select from pg_database where datname = $1)",
    [name],
  );
  if (rows[0]?.exists) return;
  const role = await client.query("select from pg_roles where rolname = $1", [name]);
  // The password is our own base64url text, which contains no quote.
  if (role.rowCount === 0) await client.query(`create role ${name} login createdb password '${password}'`);
  await client.query(`grant pg_monitor, pg_checkpoint to ${name}`);
  await useLz4(client);
  await client.query(`create database ${name} owner ${name}`);
};
