import { connectWhenReady, lockCluster } from "./lock.ts";
import type { DatabaseLog } from "./log.ts";
import type { Place } from "./place.ts";
import { endPostmaster, runningPostmaster } from "./postmaster.ts";

/**
 * Ends a PostgreSQL that outlived its server (kill -9 reaches the server alone), so that the next one is a child of
 * this server, with this version's programs and settings. Throws DatabaseInUse when its server is alive.
 */
export const endOrphan = async (place: Place, adminUrl: string, log: DatabaseLog): Promise<void> => {
  const pid = await runningPostmaster(place);
  if (!pid) return;
  const patience = AbortSignal.timeout(60_000);
  const session = await connectWhenReady(adminUrl, () => !patience.aborted);
  try {
    if (session) await lockCluster(session.client);
    log.warn(`PostgreSQL (process ${pid}) outlived its server: ending it to start it anew`);
    await endPostmaster(pid);
  } finally {
    await session?.client.end().catch(() => undefined);
  }
};
