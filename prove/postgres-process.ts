import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds within which a PostgreSQL that ended must be replaced. */
const longestStart = 60_000;

/** Process id of the embedded PostgreSQL of a data directory; undefined when there is none. */
export const postmasterOf = async (dataDir: string): Promise<number | undefined> => {
  const text = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
};

const parentOf = async (pid: string): Promise<number> => {
  const stat = await readFile(join("/proc", pid, "stat"), "utf8").catch(() => "");
  // The command's name, in parentheses, may contain anything.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
};

const childrenOf = async (pid: number): Promise<number[]> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, at) => parents[at] === pid).map(Number);
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause; // it has ended in the meantime
  }
};

/** Sends a signal to the postmaster of the embedded PostgreSQL only. */
export const signalPostmaster = async (dataDir: string, name: NodeJS.Signals): Promise<void> => {
  const pid = await postmasterOf(dataDir);
  if (pid === undefined) throw new Error("PostgreSQL does not run");
  signal(pid, name);
};

/** Sends a signal to the embedded PostgreSQL and all its processes. */
export const signalPostgres = async (dataDir: string, name: NodeJS.Signals): Promise<void> => {
  const pid = await postmasterOf(dataDir);
  if (pid === undefined) throw new Error("PostgreSQL does not run");
  const children = await childrenOf(pid);
  for (const each of [pid, ...children]) signal(each, name);
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Terminates the embedded PostgreSQL and waits until a replacement runs. */
export const replacePostmaster = async (dataDir: string, name: NodeJS.Signals): Promise<void> => {
  const old = await postmasterOf(dataDir);
  if (old === undefined || !isAlive(old)) throw new Error("There is no PostgreSQL to be ended");
  process.kill(old, name);
  for (const patience = AbortSignal.timeout(longestStart); ; await sleep(20)) {
    const pid = await postmasterOf(dataDir);
    if (pid !== undefined && pid !== old && isAlive(pid)) return;
    if (patience.aborted) throw new Error("No other PostgreSQL was started");
  }
};
