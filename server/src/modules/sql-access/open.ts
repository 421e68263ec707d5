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
/** Most memory of its own that a session may take, megabytes. A SQL user may raise `work_mem`, which PostgreSQL denies nobody. */
const mostMemory = 512;

/** $1: the database of SQL users; $2: seconds of a statement, $3: of a transaction. */
const sessionsOf = `
  SELECT pid, usename AS "user", (state = 'active' AND query_start < now() - make_interval(secs => $2) OR xact_start < now() - make_interval(secs => $3)) AS "isLate"
    FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend' AND usename <> current_user`;

interface Session {
  pid: number;
  user: string;
  isLate: boolean;
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
 * does nothing while `isAnyOpen` says that there is no session.
 */
const createSqlWatch = (
  world: Pick<World, "log" | "metrics" | "clock" | "node">,
  { databaseUrl, adminUrl }: SqlPlace,
  isAnyOpen: () => boolean,
  limits: SqlLimits,
): PeriodicJob => {
  const { log } = world;
  const { offered, reader } = sqlNamesOf(databaseUrl);
  const admin = new pg.Pool({ connectionString: adminUrl, max: 1, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
  admin.on("error", (err) => log.warn({ err }, "The watch on SQL users lost its connection and makes a new one"));
  const slowed = new Set<number>();

  const end = async ({ pid, user }: Session, reason: string): Promise<void> => {
    await admin.query("SELECT pg_terminate_backend($1)", [pid]);
    log.warn({ sqlUser: user }, `Ended a session of SQL user ${user}: ${reason}`);
  };

  const look = async (): Promise<void> => {
    if (!isAnyOpen()) return;
    const { rows } = await admin.query<Session>(sessionsOf, [offered, limits.statement + 1, limits.transaction]);
    for (const session of rows) {
      const memory = await memoryOf(session.pid);
      if (memory > 0 && !slowed.has(session.pid)) giveWay(session.pid);
      if (session.isLate)
        await end(session, `a statement takes ${limits.statement} s at most, a transaction ${limits.transaction} s`);
      else if (memory > mostMemory)
        await end(session, `it takes ${Math.round(memory)} MB, at most ${mostMemory} are allowed`);
    }
    const asking = await admin.query<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE usename = $1", [reader]);
    const pids = [...rows, ...asking.rows].map(({ pid }) => pid);
    for (const { pid } of asking.rows) if (!slowed.has(pid)) giveWay(pid);
    slowed.clear();
    for (const pid of pids) slowed.add(pid);
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
  const watch = createSqlWatch(world, place, () => proxy.sessions() > 0, limits);
  watch.start();
  life.onStop("watch on SQL users", watch.stop);
  return proxy;
};
