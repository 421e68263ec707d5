import pg from "pg";
import { keptAlive } from "../platform/database/connect.ts";

/** Opens a connection without statement timeouts. */
export const openLongConnection = async (databaseUrl: string, work: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: `telltale ${work}`,
    ...keptAlive,
  });
  client.on("error", () => undefined); // reported by the running query
  await client.connect();
  await client.query(
    "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET timezone = 'UTC'",
  );
  return client;
};
