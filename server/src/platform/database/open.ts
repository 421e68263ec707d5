import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { installBinaries } from "./embedded/binaries.ts";
import { createCluster, passwordOf } from "./embedded/cluster.ts";
import { DatabaseInUse } from "./embedded/lock.ts";
import type { DatabaseLog } from "./embedded/log.ts";
import { type Place, preparePlace } from "./embedded/place.ts";
import { runningPostmaster } from "./embedded/postmaster.ts";
import { provision } from "./embedded/provision.ts";
import type { Settings } from "./embedded/settings.ts";
import { supervise } from "./embedded/supervise.ts";

/** Where to find or keep the database. */
export interface DatabaseOptions {
  /** URL of an existing PostgreSQL, 15 or newer; absent: an embedded one in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  log: DatabaseLog;
  /** Overrides for settings of the embedded PostgreSQL. */
  settings?: Settings;
}

/** A database available at `url` until `stop`. The url stays the same across restarts of PostgreSQL. */
export interface OpenDatabase {
  url: string;
  /** The same PostgreSQL as a role that may create roles and databases; of an existing one the given role, which may not be able to. */
  adminUrl: string;
  stop(): Promise<void>;
}

const oldest = 150_000;

const addressOf = ({ socketDir }: Place, role: string, password: string, database: string): string =>
  `postgres://${role}:${password}@localhost/${database}?host=${encodeURIComponent(socketDir)}`;

/** Connects with retries, since the database may be starting up too; returns its version (150004 is 15.4). */
const reach = async (url: string): Promise<number> => {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ version: number }>(
        "select current_setting('server_version_num')::int as version",
      );
      return rows[0]?.version ?? 0;
    } catch (cause) {
      // Of a host with several addresses each has failed, and the whole has no message.
      const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
      const reason = causes.map((each) => (each instanceof Error ? each.message : String(each))).join(", ");
      if (attempt === 10) throw new Error(`DATABASE_URL cannot be reached: ${reason}`, { cause });
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(1_000);
  }
};

const openEmbedded = async ({ dataDir, log, settings }: DatabaseOptions): Promise<OpenDatabase> => {
  const place = await preparePlace(dataDir);
  const binaries = await installBinaries(place.dataDir);
  const password = await passwordOf(place);
  await createCluster(place, binaries, password, settings);
  const adminUrl = addressOf(place, "postgres", password, "postgres");
  const needs = { place, binaries, adminUrl, settings, log };
  const { stop } = await supervise(needs, (client) => provision(client, password)).catch((cause: unknown) => {
    if (!(cause instanceof DatabaseInUse)) throw cause;
    throw new Error(
      `Another Telltale (${cause.message}) is using DATA_DIR ${place.dataDir}: end it, or choose another DATA_DIR`,
    );
  });
  return { url: addressOf(place, "telltale", password, "telltale"), adminUrl, stop };
};

/**
 * Opens the database: the one at `databaseUrl`, or an embedded PostgreSQL in `dataDir` that is kept running until `stop`. Throws a one-line message
 * when it is not available, or when another server uses the same `dataDir`.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<OpenDatabase> => {
  if (!options.databaseUrl) return openEmbedded(options);
  const version = await reach(options.databaseUrl);
  if (version < oldest) throw new Error("DATABASE_URL is a PostgreSQL older than 15: upgrade it");
  return { url: options.databaseUrl, adminUrl: options.databaseUrl, stop: async () => undefined };
};

/** Like `openDatabase`, but uses the embedded PostgreSQL of a running server: for commands beside it. */
export const openOrReuseDatabase = async (options: DatabaseOptions): Promise<OpenDatabase> => {
  if (!options.databaseUrl) {
    const place = await preparePlace(options.dataDir);
    if (await runningPostmaster(place)) {
      const password = await passwordOf(place);
      return {
        url: addressOf(place, "telltale", password, "telltale"),
        adminUrl: addressOf(place, "postgres", password, "postgres"),
        stop: async () => undefined,
      };
    }
  }
  return openDatabase(options);
};
