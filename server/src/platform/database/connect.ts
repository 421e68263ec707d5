import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DatabaseLog } from "./embedded/log.ts";
import type { Database, Schema } from "./schema/schema.ts";

export interface Connected {
  db: Database;
  /** The same connections for hand-written statements. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Limits in milliseconds. A long job raises its own with `set local statement_timeout` and `query_timeout` of the query. */
const callLimits = {
  /** Until a connection is had: a lost database is answered with 'Server is busy', not with a wait. */
  connect: 5_000,
  /** The server ends a statement, and the client stops waiting a little later in case the server is the one that hangs. */
  statement: 15_000,
  answer: 16_000,
};

/** A path that drops silently is noticed after about this time, not after the system's two hours. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/** What a server's pooled sessions are called in pg_stat_activity. Sessions of commands beside it have other names and are left alone. */
export const pooledName = "telltale server";

interface Confirming {
  confirm(connection: pg.ClientBase): Promise<void>;
}

/** How a pool differs from the server's own. */
export interface PoolOptions {
  /** Most connections. */
  size?: number;
  limits?: { connect: number; statement: number; answer: number };
  /** Of a server: each new connection is checked for its lock before it is used. */
  presence?: Confirming;
}

/** bigint as a number: ids and epoch milliseconds stay far below 2^53. A date stays text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) => {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return Number;
    if (oid === pg.types.builtins.DATE && format !== "binary") return String;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/** A name in the URL would replace one that is given to the driver, and by this one a successor finds the session. */
const confirmed = async (client: pg.ClientBase, presence: Confirming): Promise<void> => {
  await client.query("SELECT set_config('application_name', $1, false)", [pooledName]);
  await presence.confirm(client);
};

/** Connects a pool that survives the loss of its database: the next query tries again. */
export const connect = (
  url: string,
  log: DatabaseLog,
  { size = 10, limits = callLimits, presence }: PoolOptions = {},
): Connected => {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "telltale",
    max: size,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    query_timeout: limits.answer,
    idle_in_transaction_session_timeout: limits.statement,
    types,
    ...keptAlive,
    ...(presence && { onConnect: (client: pg.ClientBase) => confirmed(client, presence) }),
  });
  // Without listeners the loss of a connection would end the process: the pool speaks for idle ones, each for itself while it is lent out.
  pool.on("error", (fault) => log.warn(`A database connection was lost: ${fault.message}`));
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
};
