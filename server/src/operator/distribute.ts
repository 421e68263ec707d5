import type pg from "pg";
import { migrate } from "../platform/database/migrate.ts";
import { holdersOf, openSession, tryLock } from "../platform/database/serving-lock.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { isOfStorage, mark } from "../readings/index.ts";
import { distributeReadings } from "../telemetry/index.ts";
import { withDatabase } from "./open.ts";
import type { Row } from "./print.ts";

const guide = "see docs/operate/cluster.md";

const stateOf = `
  SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS "hasCitus", to_regclass('${mark}') IS NOT NULL AS "isInParts"`;

interface State {
  hasCitus: boolean;
  isInParts: boolean;
}

const nodesOf = `
  SELECT count(*) FILTER (WHERE groupid = 0)::int AS coordinators, count(*) FILTER (WHERE groupid > 0 AND isactive AND shouldhaveshards)::int AS workers
    FROM pg_dist_node`;

interface Nodes {
  coordinators: number;
  workers: number;
}

const one = async <T extends pg.QueryResultRow>(client: pg.ClientBase, text: string): Promise<T> => {
  const { rows } = await client.query<T>(text);
  if (!rows[0]) throw new Error("The database gives no answer");
  return rows[0];
};

/** Throws a line that says what to do when the database cannot be distributed. */
const checkDatabase = async (client: pg.ClientBase): Promise<void> => {
  const { hasCitus, isInParts } = await one<State>(client, stateOf);
  if (isInParts) throw new OperatorError("The database is in parts already: there is nothing to do");
  if (!hasCitus)
    throw new OperatorError(
      `The database has no Citus: install it on this PostgreSQL and on the others, and run CREATE EXTENSION citus in this database on each (${guide})`,
    );
  const { coordinators, workers } = await one<Nodes>(client, nodesOf);
  if (coordinators === 0)
    throw new OperatorError(
      `Citus does not know under which address its workers reach this PostgreSQL: run SELECT citus_set_coordinator_host('<host>', <port>) (${guide})`,
    );
  if (workers === 0)
    throw new OperatorError(
      `Citus has no workers to spread the readings over: run SELECT citus_add_node('<host>', <port>) for each (${guide})`,
    );
};

/** Takes the lock of a server for as long as the session lives, so that none starts meanwhile. */
const takeLock = async (client: pg.Client): Promise<void> => {
  if (await tryLock(client, "alone")) return;
  const names = (await holdersOf(client)).map(({ name }) => name);
  throw new OperatorError(`Servers use the database (${names.join(", ")}): stop them first`);
};

/** Everything is copied as it is: a backup leaves out what cannot be read. */
const explained = (fault: unknown): unknown =>
  isOfStorage(fault)
    ? new OperatorError(
        `Stored readings cannot be read (${fault.message}), and nothing has been changed: make a backup, which leaves them out, restore it, and distribute that (${guide})`,
        { cause: fault },
      )
    : fault;

const serversOf = `
  SELECT nodename || ':' || nodeport AS server, count(*)::int AS groups
    FROM generate_series(0, 63) AS g(id) JOIN pg_dist_shard_placement p ON p.shardid = get_shard_id_for_distribution_column('batches', g.id::int2)
   GROUP BY 1 ORDER BY 1`;

/** Spreads the readings of the database at `databaseUrl` over the workers of its Citus; returns how many device groups each has. */
export const distribute = async (databaseUrl: string, told: (step: string) => void): Promise<Row[]> => {
  const { client } = await openSession(databaseUrl, "telltale distribute");
  try {
    await takeLock(client);
    await checkDatabase(client);
    await distributeReadings(client, told).catch((fault: unknown) => {
      throw explained(fault);
    });
    return (await client.query<{ server: string; groups: number }>(serversOf)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** The command: brings the database to this version's schema first. */
export const distributeDatabase = (): Promise<Row[]> =>
  withDatabase(async ({ databaseUrl }) => {
    await migrate(databaseUrl);
    return distribute(databaseUrl, (step) => console.error(`${step} …`));
  });
