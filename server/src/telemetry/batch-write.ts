import { inTransaction } from "../database/transaction.ts";
import type { World } from "../world.ts";
import { announceBatch } from "./announce.ts";
import { adoptDrafts, dropDrafts, type JudgedBatch, judgeBatch } from "./judge.ts";
import type { Registry } from "./registry.ts";
import { storeBatch } from "./store.ts";
import type { Submission } from "./submission.ts";

export interface BatchNeeds extends Pick<World, "pool" | "bus" | "clock"> {
  registry: Registry;
}

const reloadStale = async (registry: Registry, submissions: readonly Submission[]): Promise<void> => {
  const stale = new Set(submissions.flatMap(({ devices }) => devices.filter((device) => device.isStale)));
  if (stale.size > 0) await registry.reload([...stale]);
};

/**
 * Judges and commits these messages in one transaction, then acknowledges them and tells who watches.
 * Throws when nothing was committed, or when that is not known: the devices must then be loaded again.
 */
export const writeBatch = async (
  { pool, bus, clock, registry }: BatchNeeds,
  submissions: readonly Submission[],
): Promise<JudgedBatch> => {
  await reloadStale(registry, submissions);
  const now = clock.now();
  const batch = judgeBatch(submissions, now);
  try {
    const arrivals = submissions.flatMap((submission) => submission.arrival ?? []);
    await inTransaction(pool, (client) => storeBatch(client, batch, arrivals, now));
  } catch (fault) {
    dropDrafts(batch);
    throw fault;
  }
  adoptDrafts(batch);
  for (const submission of submissions) submission.done("stored");
  announceBatch(bus, batch, now);
  return batch;
};
