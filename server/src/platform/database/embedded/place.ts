import { createHash } from "node:crypto";
import { chmod, mkdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** User and group of PostgreSQL's processes. */
export interface Account {
  uid: number;
  gid: number;
}

/** Paths of one embedded PostgreSQL. */
export interface Place {
  dataDir: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  passwordFile: string;
  logFile: string;
  /** Folder of the Unix socket; only the database's account and root may enter it. */
  socketDir: string;
  /** Absent: PostgreSQL runs as the user who runs the server. */
  account?: Account;
}

/** `nobody` exists everywhere, so that no account has to be created. */
const nobody: Account = { uid: 65534, gid: 65534 };

/** Unix socket paths hold at least 103 bytes on every system; `/.s.PGSQL.5432` takes 14 of them. */
const longestSocketDir = 103 - 14;

const isRoot = (): boolean => process.getuid?.() === 0;

/** The account to run PostgreSQL as. PostgreSQL refuses to run as root: then the owner of the cluster, or `nobody` for a new one. */
const accountFor = async (cluster: string): Promise<Account | undefined> => {
  if (!isRoot()) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody;
};

/** Prepares `dataDir` for its own PostgreSQL. */
export const preparePlace = async (dataDir: string): Promise<Place> => {
  const root = resolve(dataDir);
  await mkdir(root, { recursive: true });
  // Lets other accounts traverse the folder, but not list it.
  if (isRoot()) await chmod(root, ((await stat(root)).mode & 0o777) | 0o011);
  const cluster = join(root, "postgres");
  const tooLong = Buffer.byteLength(cluster) > longestSocketDir;
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const account = await accountFor(cluster);
  return {
    dataDir: root,
    cluster,
    passwordFile: join(root, "postgres-password"),
    logFile: join(root, "postgres.log"),
    socketDir: tooLong ? join(tmpdir(), `telltale-${digest}`) : cluster,
    ...(account ? { account } : {}),
  };
};
