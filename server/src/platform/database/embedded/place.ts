import { createHash } from "node:crypto";
import { chmod, mkdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The user and group PostgreSQL's processes run as. */
export interface Account {
  uid: number;
  gid: number;
}

/** Where the parts of one embedded PostgreSQL lie. */
export interface Place {
  dataDir: string;
  /** The cluster itself: PostgreSQL's own data directory. */
  cluster: string;
  passwordFile: string;
  logFile: string;
  /** Folder of the Unix socket; nobody but the database's account and root may enter it. */
  socketDir: string;
  /** Absent: PostgreSQL runs as whoever runs the server. */
  account?: Account;
}

/** `nobody`: exists everywhere, so that no account has to be made. */
const nobody: Account = { uid: 65534, gid: 65534 };

/** The name of a Unix socket holds 103 bytes at least everywhere; `/.s.PGSQL.5432` takes 14 of them. */
const longestSocketDir = 103 - 14;

const isRoot = (): boolean => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root: then it runs as the owner of the cluster, or as nobody when there is none yet. */
const accountFor = async (cluster: string): Promise<Account | undefined> => {
  if (!isRoot()) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody;
};

/** Prepares `dataDir` for a PostgreSQL of its own. */
export const preparePlace = async (dataDir: string): Promise<Place> => {
  const root = resolve(dataDir);
  await mkdir(root, { recursive: true });
  // Others may pass through to their own folder in it, and see nothing of it.
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
