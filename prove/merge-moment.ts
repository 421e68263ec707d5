import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { RunningServer } from "../e2e/server-process.ts";
import { inDatabase } from "./database.ts";

/** Transactions that hold the lock (server/src/readings/merging/merge.ts) of a device group and have taken batches out, which are nowhere else until they commit. */
const merging = `
  SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
   WHERE locktype = 'advisory' AND classid = 8021978 AND granted AND backend_xid IS NOT NULL`;

const isMerging = async (client: pg.Client): Promise<boolean> => ((await client.query(merging)).rowCount ?? 0) > 0;

/** Time in which a commit that was sent before the server was suspended ends, milliseconds. */
const settled = 20;
/** A merge is due every two seconds at most; milliseconds. */
const patience = 60_000;

/** Suspends the server (SIGSTOP) in the middle of a merge. */
export const suspendInMerge = ({ dataDir, pid }: RunningServer): Promise<void> =>
  inDatabase(dataDir, async (client) => {
    for (const end = performance.now() + patience; performance.now() < end; ) {
      if (!(await isMerging(client))) continue;
      process.kill(pid(), "SIGSTOP");
      await sleep(settled);
      if (await isMerging(client)) return;
      process.kill(pid(), "SIGCONT");
    }
    throw new Error("No merge was seen within a minute");
  });
