import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chown, copyFile, mkdir, open, readFile, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { codeOf } from "../../fault.ts";
import type { Binaries } from "./binaries.ts";
import type { Place } from "./place.ts";
import { type Settings, settingArguments } from "./settings.ts";

const longestLog = 10 * 1024 * 1024;
const pidFileOf = ({ cluster }: Place): string => join(cluster, "postmaster.pid");
/** PostgreSQL's second lock, with the same process id. */
const socketLockOf = ({ socketDir }: Place): string => join(socketDir, ".s.PGSQL.5432.lock");

const prepareSocketDir = async ({ socketDir, cluster, account }: Place): Promise<void> => {
  if (socketDir === cluster) return;
  await mkdir(socketDir, { mode: 0o700, recursive: true });
  const uid = account?.uid ?? process.getuid?.();
  const found = await stat(socketDir);
  // The folder is in a shared place where any user could have created it first.
  if (found.uid !== uid && found.uid !== process.getuid?.())
    throw new Error(`${socketDir} belongs to another user: remove it`);
  if (account) await chown(socketDir, account.uid, account.gid);
};

/** Whose process has this id: one that may be signalled, another user's, or nobody's. */
const ownerOf = (pid: number): "ours" | "another" | undefined => {
  try {
    process.kill(pid, 0);
    return "ours";
  } catch (cause) {
    return codeOf(cause) === "EPERM" ? "another" : undefined;
  }
};

const isRunning = (pid: number): boolean => ownerOf(pid) !== undefined;

/** Command line of a process from /proc; undefined on systems without it. */
const commandOf = (pid: number): Promise<string | undefined> =>
  readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);

/** Command line of a process by `ps`, for systems without /proc; undefined where there is no `ps` either. */
const listedCommandOf = (pid: number): Promise<string | undefined> =>
  promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).then(
    ({ stdout }) => stdout,
    () => undefined,
  );

/** Process id of a PostgreSQL that already runs on this cluster: one that outlived its server, or another server's. */
export const runningPostmaster = async (place: Place): Promise<number | undefined> => {
  const text = await readFile(pidFileOf(place), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0)) return undefined;
  const isOurs = () => ownerOf(pid) === "ours";
  // One of another user is no PostgreSQL of ours, and PostgreSQL itself does not take it for one.
  const command = isOurs() ? ((await commandOf(pid)) ?? (await listedCommandOf(pid))) : "";
  if (command === undefined || command.includes(place.cluster)) return isOurs() ? pid : undefined;
  // After a power cut the process id has been reused by another program, which PostgreSQL itself would take for a live postmaster; in a new container, where they begin
  // at 1 again, by a thread of this one.
  for (const file of [pidFileOf(place), socketLockOf(place)]) await rm(file, { force: true });
  return undefined;
};

/** Whether the process has ended; a zombie whose parent has not reaped it (in some containers) has an empty command line. */
const hasEnded = async (pid: number): Promise<boolean> => !isRunning(pid) || (await commandOf(pid)) === "";

/** Stops a PostgreSQL: open transactions are rolled back, committed ones written out. */
export const endPostmaster = async (pid: number, timeout = 60_000): Promise<void> => {
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGQUIT", "SIGKILL"];
  for (const signal of signals) {
    if (isRunning(pid)) process.kill(pid, signal);
    for (let waited = 0; waited < timeout; waited += 10) {
      if (await hasEnded(pid)) return;
      await sleep(10);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not end`);
};

/**
 * Sets PostgreSQL's log aside when it is long, so that there are at most two of that length. It is emptied and not renamed, because PostgreSQL appends to it
 * for as long as it runs; where the disk has no room for the copy, too.
 */
export const limitLog = async ({ logFile }: Pick<Place, "logFile">): Promise<void> => {
  const size = await stat(logFile).then(
    (file) => file.size,
    () => 0,
  );
  if (size <= longestLog) return;
  await copyFile(logFile, `${logFile}.1`).catch(() => undefined);
  await truncate(logFile);
};

/** Starts PostgreSQL in its own session, so that Ctrl-C at the terminal reaches only the server, which stops PostgreSQL in order. */
export const startPostmaster = async (
  place: Place,
  { postgres }: Binaries,
  settings?: Settings,
): Promise<ChildProcess> => {
  await prepareSocketDir(place);
  await limitLog(place);
  const log = await open(place.logFile, "a", 0o600);
  try {
    const child = spawn(postgres, ["-D", place.cluster, ...settingArguments(place.socketDir, settings)], {
      ...place.account,
      cwd: "/",
      env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
    });
    child.on("error", () => undefined); // shows as a process without a pid
    // A process that ends before it can stop PostgreSQL in order, during its start, leaves no PostgreSQL behind.
    const endToo = () => void (isAlive(child) && child.kill("SIGINT"));
    process.once("exit", endToo);
    child.once("exit", () => process.off("exit", endToo));
    return child;
  } finally {
    await log.close();
  }
};

/** Whether this child process still runs. */
export const isAlive = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

/** Line index of the status in postmaster.pid. */
const statusLine = 7;

/** Whether PostgreSQL got a 'smart' shutdown (SIGTERM from outside): it accepts no new clients and waits for the existing ones, which are ours. */
const isWaitingForClients = async (place: Place): Promise<boolean> =>
  (await readFile(pidFileOf(place), "utf8").catch(() => "")).split("\n")[statusLine]?.trim() === "stopping";

/** Turns a 'smart' shutdown into a fast one, since our clients would never disconnect. */
export const forceFastShutdown = async (place: Place, child: ChildProcess): Promise<void> => {
  if (child.pid && isAlive(child) && (await isWaitingForClients(place))) child.kill("SIGINT");
};

/** Log lines caused by our own connection attempts during the start. */
const connectionAttempt =
  /the database system is (starting up|shutting down|in recovery mode|not yet accepting connections)/;

/** The last error in PostgreSQL's log. */
export const lastError = async ({ logFile }: Place): Promise<string> => {
  const lines = (await readFile(logFile, "utf8").catch(() => "")).split("\n");
  const isError = (line: string) => /FATAL|PANIC|ERROR|could not/.test(line) && !connectionAttempt.test(line);
  return lines.findLast(isError) ?? `see ${logFile}`;
};
