import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DatabaseLog } from "./embedded/log.ts";
import type { Database, Schema } from "./schema/schema.ts";

export interface Connected {
  db: Database;
  /** The same pool, for hand-written statements. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Timeouts in milliseconds. A long job raises its own with `set local statement_timeout` and the query's `query_timeout`. */
const callLimits = {
  /** For getting a connection: a lost database is answered with 'Server is busy' instead of a wait. */
  connect: 5_000,
  /** PostgreSQL cancels the statement; the client gives up a little later in case PostgreSQL itself hangs. */
  statement: 15_000,
  answer: 16_000,
};

/** TCP keepalive: detects a dropped network path within about this time instead of the system's two hours. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/** application_name of a server's pooled sessions. Sessions of the operator's commands have other names and are not terminated. */
export const pooledName = "telltale server";

/** How long an unused connection is kept, milliseconds. */
const keptFor = 60_000;

interface Confirming {
  confirm(connection: pg.ClientBase): Promise<void>;
}

/**
 * How long a transaction of a cluster's node may wait for the node, milliseconds: one that stands still in the middle of a transaction holds up the
 * other nodes, where the same devices' readings wait for its row locks.
 */
export const idleLimitOfNodes = 1_500;

/** Deviations from the server's default pool. */
export interface PoolOptions {
  /** Most connections. */
  size?: number;
  limits?: { connect: number; statement: number; answer: number };
  /** How long a transaction may wait for the server, milliseconds; by default as long as a statement. */
  idleLimit?: number;
  /** For servers: confirms the serving lock for each new connection before it is used. */
  presence?: Confirming;
}

/** bigint as number: ids and epoch milliseconds stay far below 2^53. A date stays text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) => {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return Number;
    if (oid === pg.types.builtins.DATE && format !== "binary") return String;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/** Sets application_name by a query: a name in the URL overrides the driver's option, and a successor finds the session by this name. */
const confirmed = async (client: pg.ClientBase, presence: Confirming): Promise<void> => {
  await client.query("SELECT set_config('application_name', $1, false)", [pooledName]);
  await presence.confirm(client);
};

/** Creates a pool that survives the loss of its database: the next query reconnects. */
export const connect = (
  url: string,
  log: DatabaseLog,
  { size = 10, limits = callLimits, idleLimit = limits.statement, presence }: PoolOptions = {},
): Connected => {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "telltale",
    max: size,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    query_timeout: limits.answer,
    idle_in_transaction_session_timeout: idleLimit,
    // Making a connection takes as long as several calls: few should be made anew for each burst of them.
    idleTimeoutMillis: keptFor,
    types,
    // Statements that do not need each other's answers are sent one after the other without waiting, which spares round trips.
    pipeline: true,
    ...keptAlive,
    ...(presence && { onConnect: (client: pg.ClientBase) => confirmed(client, presence) }),
  });
  // Without listeners a lost connection would end the process: the pool reports idle ones, a connection in use reports itself.
  pool.on("error", (fault) => log.warn(`A database connection was lost: ${fault.message}`));
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely leaves a pool alone that it has not used itself; its connections would keep a command waiting until they are unused for long enough.
    if (!pool.ended) await pool.end();
  };
  return { db, pool, close };
};
