import { readdir, readFile } from "node:fs/promises";
import type { Pool } from "pg";

/** What server and database have used since they were started. */
export interface Consumption {
  /** Processor time of the server, seconds. */
  server: number;
  /** Processor time of PostgreSQL with all its processes, seconds. */
  postgres: number;
  /** Written to the write-ahead log, bytes. */
  wal: number;
}

/** Clock ticks per second on Linux. */
const ticks = 100;

interface ProcessStat {
  parent: number;
  /** Seconds of its own, and of its ended children. */
  own: number;
  ended: number;
}

const statOf = async (pid: number): Promise<ProcessStat | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (!stat) return undefined;
  // The command's name, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const sum = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / ticks;
  return { parent: Number(fields[1]), own: sum(11), ended: sum(13) };
};

const secondsOfPostgres = async (postmaster: number): Promise<number> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(statOf));
  const children = all.filter((stat) => stat?.parent === postmaster);
  const main = await statOf(postmaster);
  return (main?.own ?? 0) + (main?.ended ?? 0) + children.reduce((sum, stat) => sum + (stat?.own ?? 0), 0);
};

/** What the server with this process id and its database, which must run on this machine, have used. */
export const consumptionOf = async (pool: Pool, serverPid: number): Promise<Consumption> => {
  const { rows } = await pool.query<{ pid: number; wal: number }>(
    "SELECT pg_backend_pid() AS pid, (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS wal",
  );
  const backend = await statOf(rows[0]?.pid ?? 0);
  return {
    server: (await statOf(serverPid))?.own ?? 0,
    postgres: await secondsOfPostgres(backend?.parent ?? 0),
    wal: rows[0]?.wal ?? 0,
  };
};
