import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import pg from "pg";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { Lifecycle } from "../../platform/lifecycle.ts";
import type { World } from "../../world.ts";
import { sqlNamesOf } from "./names.ts";
import { prepareSqlAccess, type SqlLimits, type SqlPlace, sqlLimits } from "./prepare.ts";
import { createSqlProxy, type SqlProxy, type SqlProxyOptions } from "./proxy.ts";

/** Interval of the watch, milliseconds: a statement that sorts in memory takes about a gigabyte in this time. */
const every = 1_000;
/** How long after the last entry sessions are looked for, milliseconds, even when none was seen: one is not seen before it has proved who it is. */
const watchful = 60_000;
/** Most memory of its own that a session may take, megabytes. A SQL user may raise `work_mem`, which PostgreSQL denies nobody. */
const mostMemory = 512;

/**
 * $1: the database of SQL users; $2: seconds of a statement, $3: of a transaction; $4: most of the queue of notices that may be in use, which a transaction
 * of one that listens keeps from being emptied; $5: the role that asks Telltale's own database. `leader`: whose work a parallel worker does.
 */
const sessionsOf = `
  SELECT pid, coalesce(leader_pid, pid) AS leader, usename AS "user",
         coalesce(usename <> $5 AND (state IN ('active', 'fastpath function call') AND query_start < now() - make_interval(secs => $2)
                                     OR xact_start < now() - make_interval(secs => $3)), false) AS "isLate",
         usename <> $5 AND xact_start IS NOT NULL AND pg_notification_queue_usage() > $4 AS "isHoarding"
    FROM pg_stat_activity
   WHERE (datname = $1 OR usename = $5) AND backend_type IN ('client backend', 'parallel worker') AND usename <> current_user`;

interface Session {
  pid: number;
  leader: number;
  user: string;
  isLate: boolean;
  isHoarding: boolean;
}

/** Memory of its own that a process of this machine takes, megabytes; 0 when PostgreSQL runs elsewhere. */
const memoryOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return status.startsWith("Name:\tpostgres") ? Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024 : 0;
};

/** SQL users' statements give way to the server and to PostgreSQL's other work, where they run on this machine and the system allows it. */
const giveWay = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Another user's process.
  }
};

/**
 * Creates the job that ends sessions of SQL users that take too long or too much memory: their own settings of PostgreSQL cannot be forced on them. It
 * does nothing while there are none: not even one whose client has left, of which PostgreSQL does not know before it answers. `enteredTs`: when a SQL
 * user last entered, as `clock.steady`.
 */
const createSqlWatch = (
  world: Pick<World, "log" | "metrics" | "clock" | "node">,
  { databaseUrl, adminUrl }: SqlPlace,
  enteredTs: () => number,
  limits: SqlLimits,
): PeriodicJob => {
  const { log, clock } = world;
  // A session may have outlived the server before this one.
  let isQuiet = false;
  const { offered, reader } = sqlNamesOf(databaseUrl);
  const admin = new pg.Pool({ connectionString: adminUrl, max: 1, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
  admin.on("error", (err) => log.warn({ err }, "The watch on SQL users lost its connection and makes a new one"));
  const slowed = new Set<number>();

  const end = async ({ pid, user }: Session, reason: string): Promise<void> => {
    await admin.query("SELECT pg_terminate_backend($1)", [pid]);
    log.warn({ sqlUser: user }, `Ended a session of SQL user ${user}: ${reason}`);
  };

  const reasonOf = ({ isLate, isHoarding }: Session, memory: number): string | undefined => {
    if (isLate) return `a statement takes ${limits.statement} s at most, a transaction ${limits.transaction} s`;
    if (isHoarding) return "PostgreSQL's queue of notices fills up, and its transaction may be the reason";
    if (memory <= mostMemory) return undefined;
    return `it takes ${Math.round(memory)} MB, at most ${mostMemory} are allowed`;
  };

  const look = async (): Promise<void> => {
    if (isQuiet && clock.steady() - enteredTs() > watchful) return;
    const given = [offered, limits.statement + 1, limits.transaction, limits.notices, reader];
    const { rows } = await admin.query<Session>(sessionsOf, given);
    /** By session, with that of its workers. */
    const memoryOfSession = new Map<number, number>();
    for (const { pid, leader } of rows) {
      const memory = await memoryOf(pid);
      memoryOfSession.set(leader, (memoryOfSession.get(leader) ?? 0) + memory);
      if (memory > 0 && !slowed.has(pid)) giveWay(pid);
    }
    isQuiet = rows.length === 0;
    slowed.clear();
    for (const { pid } of rows) slowed.add(pid);
    for (const session of rows.filter(({ pid, leader }) => pid === leader)) {
      const reason = reasonOf(session, memoryOfSession.get(session.pid) ?? 0);
      if (reason !== undefined) await end(session, reason);
    }
  };

  const job = createPeriodicJob({
    every,
    work: look,
    failureMessage: "Could not watch the sessions of SQL users",
    name: "sql_users",
    isOfEveryNode: true,
    world,
  });
  return {
    ...job,
    stop: async () => {
      await job.stop();
      await admin.end();
    },
  };
};

/** Prepares the database that SQL users enter, and opens their port; `life` closes it. Throws a line that says what is missing. */
export const openSqlAccess = async (
  world: Pick<World, "pool" | "log" | "clock" | "metrics" | "node">,
  place: SqlPlace,
  options: Omit<SqlProxyOptions, "databaseUrl">,
  life: Lifecycle,
  limits = sqlLimits,
): Promise<SqlProxy> => {
  await prepareSqlAccess(place, world.pool);
  const proxy = createSqlProxy(world, { ...options, databaseUrl: place.databaseUrl });
  await proxy.start();
  life.onStop("port of SQL users", proxy.stop);
  const watch = createSqlWatch(world, place, proxy.enteredTs, limits);
  watch.start();
  life.onStop("watch on SQL users", watch.stop);
  return proxy;
};
