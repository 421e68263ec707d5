import { openOrders } from "../orders/open-queries.ts";
import { reconcile } from "../orders/reconcile.ts";
import type { World } from "../world.ts";
import { createPeriodicJob, type PeriodicJob } from "./periodic.ts";

/** How often open orders are looked for, milliseconds. */
const every = 60_000;
/** An order is left to its buyer's browser for so long, and asked about again after as long, milliseconds. */
const pause = 3 * 60_000;
/** For so long a begun payment can still come to something at a provider, milliseconds. */
const memory = 4 * 86_400_000;

/** Finishes orders that were approved and whose buyer never came back. */
export const createOpenOrdersJob = (
  needs: Pick<World, "db" | "clock" | "log" | "metrics" | "payments">,
): PeriodicJob => {
  const { db, clock } = needs;
  const work = async (isStopping: () => boolean): Promise<void> => {
    const now = clock.now();
    const due = { since: new Date(now - memory), askedBefore: new Date(now - pause) };
    for (const order of await openOrders(db, due)) {
      if (isStopping()) return;
      await reconcile(needs, order);
    }
  };
  const complaint = "Open orders were not looked after; tried again soon";
  return createPeriodicJob({ name: "open orders", every, work, complaint, world: needs });
};
