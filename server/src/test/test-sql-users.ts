import pg from "pg";
import { openSqlAccess, type SqlLimits, type SqlPlace, sqlNamesOf } from "../modules/sql-access/index.ts";
import type { SqlProxyOptions } from "../modules/sql-access/proxy.ts";
import { command, withDatabase } from "../platform/database/test-commands.ts";
import { createLifecycle } from "../platform/lifecycle.ts";
import type { TestWorld } from "./test-world.ts";

/** The test run's PostgreSQL as its superuser, who has the same password as the tests' role. */
export const asSuperuser = (url: string): string => {
  const address = new URL(withDatabase(url, "postgres"));
  if (address.username === "telltale") address.username = "postgres";
  return address.href;
};

/** Short and small, so that a test can reach them. */
const shortLimits: SqlLimits = { statement: 2, transaction: 4, notices: 0.001 };

/** A way for programs to read plants of this world by SQL. */
export interface TestSqlAccess {
  place: SqlPlace;
  /** Where SQL users connect on this machine. */
  port: number;
  /** Opens a session of a SQL user; it ends with `close`. Throws what PostgreSQL answers. */
  enter(user: string, password: string, options?: pg.ClientConfig): Promise<pg.Client>;
  close(): Promise<void>;
}

/** Opens the port of SQL users. Close it after the world: its roles and database outlive it otherwise. */
export const openTestSqlAccess = async (
  world: TestWorld,
  tls: Pick<SqlProxyOptions, "tls"> = {},
  limits: Partial<SqlLimits> = {},
): Promise<TestSqlAccess> => {
  const place = { databaseUrl: world.url, adminUrl: asSuperuser(world.url) };
  const life = createLifecycle((_name, fault) => {
    throw fault;
  });
  const proxy = await openSqlAccess(world, place, { host: "127.0.0.1", port: 0, ...tls }, life, {
    ...shortLimits,
    ...limits,
  });
  const clients: pg.Client[] = [];
  const { offered, owner, reader, users } = sqlNamesOf(world.url);
  return {
    place,
    port: proxy.port(),
    enter: async (user, password, options = {}) => {
      const client = new pg.Client({
        host: "127.0.0.1",
        port: proxy.port(),
        user,
        password,
        database: offered,
        ...options,
      });
      client.on("error", () => undefined);
      await client.connect();
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) await client.end().catch(() => undefined);
      await life.stop();
      const rows = await world.pool.query<{ role_name: string }>("SELECT role_name FROM sql_users");
      await world.close();
      const admin = place.adminUrl;
      await command(admin, `drop database ${offered} with (force)`);
      for (const role of [...rows.rows.map((row) => row.role_name), owner, reader, users])
        await command(admin, `drop role ${role}`);
    },
  };
};
