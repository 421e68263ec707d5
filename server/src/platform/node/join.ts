import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { DatabaseLog } from "../database/embedded/log.ts";
import { knownMigrations } from "../database/migrate.ts";
import type { Sharing } from "../database/serving-lock.ts";
import { folderIdFile, folderIdOf } from "../files/folder-id.ts";
import { readVersion } from "../installed.ts";
import { OperatorError } from "../operator-error.ts";
import { createLocks, type NodeLocks } from "./locks.ts";
import { clusterNode, type ServerNode, singleNode } from "./node.ts";

/** Interval of a node's heartbeats, milliseconds. */
const every = 5_000;

/** Also inserts: another node may have removed the row of one that stood still, or a restore all of them. */
const beat = `
  INSERT INTO nodes (node_id, name, version, schema) VALUES ($1, $2, $3, $4)
  ON CONFLICT (node_id) DO UPDATE SET heard_time = now()`;
const removeDead = "DELETE FROM nodes WHERE heard_time < now() - interval '1 day'";
const leaving = "DELETE FROM nodes WHERE node_id = $1";

interface Needs {
  sharing: Sharing;
  /** Folder of this server's own files, absolute. */
  dataDir: string;
  url: string;
  pool: Pool;
  log: DatabaseLog;
}

/** This server's node, and how it leaves its cluster. */
export interface JoinedNode {
  node: ServerNode;
  leave(): Promise<void>;
}

/** How long the start waits for the folder, milliseconds: PostgreSQL notices within moments that a killed node is gone. */
const startTimeout = 3_000;
const pause = 100;

/** A node's folder, which no other node may use: each would remove the other's files. */
interface Folder {
  dataDir: string;
  /** Name of the lock that its node has. */
  lock: string;
}

const taken = ({ dataDir }: Folder): string =>
  `Another node uses DATA_DIR ${dataDir}: give each node a folder of its own. If this one is a copy of another node's, remove the file ${folderIdFile} in it`;

/** Throws when another node has the same folder. */
const takeFolder = async (locks: NodeLocks, folder: Folder): Promise<void> => {
  for (let waited = 0; !(await locks.take(folder.lock)); waited += pause) {
    if (waited >= startTimeout) {
      await locks.end();
      throw new OperatorError(taken(folder));
    }
    await sleep(pause);
  }
};

/** Takes the folder again after a lost database session. */
const keepFolder = async (log: DatabaseLog, locks: NodeLocks, folder: Folder): Promise<void> => {
  if (!locks.has(folder.lock) && !(await locks.take(folder.lock))) log.error(taken(folder));
};

/** Makes this server a node: of its own, or of the cluster on this database, where heartbeats tell the others that it lives. */
export const joinNodes = async ({ sharing, dataDir, url, pool, log }: Needs): Promise<JoinedNode> => {
  const id = randomUUID();
  if (sharing === "alone") return { node: singleNode(id), leave: async () => undefined };
  const folder = { dataDir, lock: `DATA_DIR ${await folderIdOf(dataDir)}` };
  const locks = createLocks(url, log);
  await takeFolder(locks, folder);
  const row = [id, `process ${process.pid} on ${hostname()}`, await readVersion(), (await knownMigrations()).at(-1)];
  await pool.query(beat, row);
  await pool.query(removeDead);
  const tell = async (): Promise<void> => {
    await pool.query(beat, row);
    await keepFolder(log, locks, folder);
  };
  let telling = Promise.resolve();
  const timer = setInterval(() => {
    telling = tell().catch((fault: Error) =>
      log.warn(`This node could not tell the others that it lives (${fault.message}); trying again in 5 seconds`),
    );
  }, every).unref();
  return {
    node: clusterNode(id, locks),
    leave: async () => {
      clearInterval(timer);
      // Otherwise it could open the locks' session again after its end.
      await telling;
      await locks.end();
      await pool.query(leaving, [id]).catch(() => undefined);
    },
  };
};
