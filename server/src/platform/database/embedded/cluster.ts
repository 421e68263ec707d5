import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { access, chown, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asError, codeOf, fieldOf } from "../../fault.ts";
import type { Binaries } from "./binaries.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./settings.ts";

/** The password of both roles, created on first use; readable by the server's own user only. */
export const passwordOf = async ({ passwordFile }: Place): Promise<string> => {
  const made = randomBytes(24).toString("base64url");
  // Linked under its name when complete: a concurrent start could otherwise read an empty file.
  const unfinished = `${passwordFile}.${process.pid}`;
  await writeFile(unfinished, made, { mode: 0o600 });
  await link(unfinished, passwordFile)
    .catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EEXIST") throw cause;
    })
    .finally(() => rm(unfinished, { force: true }));
  return (await readFile(passwordFile, "utf8")).trim();
};

const explain = (cause: unknown, { dataDir, account }: Place): Error => {
  const code = codeOf(cause);
  if (code === "EACCES" && account)
    return new Error(
      `PostgreSQL runs as user ${account.uid}, who may not enter DATA_DIR ${dataDir}: choose one outside private folders, such as /var/lib/telltale`,
      { cause },
    );
  if (!String(fieldOf(cause, "syscall")).startsWith("spawn")) return asError(cause);
  if (code === "EACCES")
    return new Error(
      `No program may be run in DATA_DIR ${dataDir}: choose one on a disk that is not mounted with noexec`,
      { cause },
    );
  // The program is there; its loader is not.
  if (code === "ENOENT")
    return new Error(
      "PostgreSQL's programs do not run on this system: they need glibc, which Alpine does not have. Set DATABASE_URL to a PostgreSQL of your own",
      { cause },
    );
  return asError(cause);
};

const runInitdb = async (initdb: string, args: string[], place: Place): Promise<void> => {
  const child = spawn(initdb, args, {
    ...place.account,
    cwd: "/",
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errorOutput = "";
  child.stderr.on("data", (text: Buffer) => {
    errorOutput += text.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`initdb failed: ${errorOutput.trim()}`);
};

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Throws when the cluster belongs to another major version, instead of leaving the error to PostgreSQL's log. */
const checkVersion = async ({ cluster, dataDir }: Place, { version }: Binaries): Promise<void> => {
  const found = (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
  const brought = version.split(".")[0];
  if (found !== brought) {
    throw new Error(
      `DATA_DIR ${dataDir} holds a PostgreSQL ${found} database, this Telltale brings PostgreSQL ${brought}: convert it with pg_upgrade`,
    );
  }
};

/** UTF-8 with code point order, the same on every machine; password authentication for every login. */
const choices = [
  "--username=postgres",
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--locale=C",
];

/**
 * Creates the cluster if there is none. It is renamed into place when complete, so that an interrupted start leaves nothing that looks like a
 * cluster.
 */
export const createCluster = async (
  place: Place,
  binaries: Binaries,
  password: string,
  settings: Settings = {},
): Promise<void> => {
  if (await isThere(join(place.cluster, "PG_VERSION"))) return checkVersion(place, binaries);
  const unfinished = `${place.cluster}.${process.pid}`;
  const handed = join(unfinished, "password");
  const folder = join(unfinished, "cluster");
  await mkdir(unfinished, { mode: 0o700, recursive: true });
  try {
    await writeFile(handed, password, { mode: 0o600 });
    if (place.account) for (const path of [unfinished, handed]) await chown(path, place.account.uid, place.account.gid);
    const args = [
      `--pgdata=${folder}`,
      `--pwfile=${handed}`,
      ...choices,
      ...(settings.fsync === "off" ? ["--no-sync"] : []),
    ];
    await runInitdb(binaries.initdb, args, place);
    await rename(folder, place.cluster).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ENOTEMPTY" && cause.code !== "EEXIST") throw cause; // another process was quicker; the lock decides
    });
  } catch (cause) {
    throw explain(cause, place);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
};
