import type pg from "pg";
import { pooledName } from "../database/connect.ts";
import type { DatabaseLog } from "../database/embedded/log.ts";

/**
 * Ends database sessions of servers that stand still in the middle of a message and keep others waiting. A server that is suspended, or whose host is lost,
 * between two parts of a long statement leaves PostgreSQL waiting for the rest, with all locks of the transaction. No timeout of PostgreSQL's covers that:
 * the session is neither idle nor does it run a statement. Devices of these locks would get no acknowledgement at any node until the server comes back.
 *
 * $1: name of servers' sessions; $2: for how long it has stood still, milliseconds. Who waits is looked up only when one is found; who waits at a server of
 * Citus cannot be seen here.
 */
const endStanding = {
  name: "end-standing-sessions",
  text: `
  WITH standing AS MATERIALIZED (
    SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND application_name = $1
       -- In the middle of a message: otherwise it would be idle, or wait for something else than its client.
       AND state = 'active' AND wait_event = 'ClientRead' AND xact_start IS NOT NULL
       AND state_change < clock_timestamp() - $2 * interval '1 millisecond'),
  blocking AS MATERIALIZED (
    SELECT DISTINCT unnest(pg_blocking_pids(w.pid)) AS pid FROM pg_stat_activity w
     WHERE w.wait_event_type = 'Lock' AND w.datname = current_database() AND EXISTS (SELECT FROM standing)
    UNION
    SELECT pid FROM standing WHERE EXISTS (SELECT FROM pg_extension WHERE extname = 'citus'))
  SELECT s.pid, pg_terminate_backend(s.pid) AS is_ended FROM standing s JOIN blocking USING (pid)`,
};

/**
 * Looks once for sessions that have stood still for longer than `limit` milliseconds, and says in the log what was ended. A transaction that is lost so is
 * repeated by its server, as one that has waited for it too long.
 */
export const endStandingSessions = async (
  client: Pick<pg.ClientBase, "query">,
  log: DatabaseLog,
  limit: number,
): Promise<void> => {
  const { rows } = await client.query<{ pid: number }>({ ...endStanding, values: [pooledName, limit] });
  if (rows.length === 0) return;
  const processes = rows.map(({ pid }) => pid).join(", ");
  log.warn(
    `Ended database sessions of a server that stands still in the middle of a statement and kept others waiting (PostgreSQL's processes ${processes})`,
  );
};
