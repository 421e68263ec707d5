import { chown, readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../proxies/program.ts";

/** Debian's programs of PostgreSQL 15. */
export const debianPrograms = "/usr/lib/postgresql/15/bin";

/** Gives a folder to the user as whom PostgreSQL runs. */
export const giveAway = async (folder: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (what) => Number((await run("id", [what, "postgres"])).stdout)),
  );
  await chown(folder, uid ?? 0, gid ?? 0);
};

/** Returns what runs a program of PostgreSQL, which refuses to run as root. */
export const programsIn =
  (folder: string) =>
  (program: string, ...args: string[]) => {
    const path = join(folder, program);
    return process.getuid?.() === 0 ? run("runuser", ["-u", "postgres", "--", path, ...args]) : run(path, args);
  };

export type Programs = ReturnType<typeof programsIn>;

/** Starts the PostgreSQL of a data directory; the error has its log. */
export const startPostgres = (postgres: Programs, folder: string): Promise<unknown> =>
  postgres("pg_ctl", "start", "-w", "-s", "-D", folder, "-l", `${folder}.log`).catch(async (fault: Error) => {
    throw new Error(`${fault.message}\n${await readFile(`${folder}.log`, "utf8").catch(() => "")}`);
  });

/** Ends it, as by a power cut. */
export const endPostgres = (postgres: Programs, folder: string): Promise<unknown> =>
  postgres("pg_ctl", "stop", "-m", "immediate", "-s", "-D", folder);
