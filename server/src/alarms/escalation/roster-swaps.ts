import type { Input } from "@telltale/contract/call/call";
import { rosterBounds, type rosters } from "@telltale/contract/domains/alerting/escalation";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notAllowed, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { rostersOf, type StoredRoster } from "./recipients.ts";
import { checkPeople, checkTimes, lockRoster, namesIn, namesOf } from "./rosters.ts";
import { maySwap, replacedIn } from "./swaps.rules.ts";

type Needs = Pick<World, "db" | "clock">;

/** Locks a roster and reads it with the swaps that have not ended; 404 for another plant's. */
const lockedRoster = async (trx: Database, plantId: number, rosterId: number, now: Date): Promise<StoredRoster> => {
  await lockRoster(trx, plantId, rosterId);
  const roster = (await rostersOf(trx, plantId, now)).get(rosterId);
  if (!roster) throw notFound();
  return roster;
};

/** Has somebody take a roster for a time; returns the swap's id. */
export const swapShift = (
  { db, clock }: Needs,
  { rosterId, accountId, from, to }: Input<typeof rosters.swap>,
  caller: Caller,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { plantId, userId } = caller;
    const now = clock.date();
    const roster = await lockedRoster(trx, plantId, rosterId, now);
    checkTimes(from, to);
    if (to <= now) throw invalid("To must be later than now");
    await checkPeople(trx, plantId, [accountId]);
    if (roster.swaps.length >= rosterBounds.swaps)
      throw conflict(`A roster has at most ${rosterBounds.swaps} swaps that have not ended. Take one back first`);
    const replaced = replacedIn(roster, from, to);
    if (!maySwap(caller, replaced)) throw notAllowed("You can swap only shifts of your own");
    const { swap_id: swapId } = await trx
      .insertInto("roster_swaps")
      .values({
        ...{ roster_id: rosterId, account_id: accountId, from_time: from, to_time: to },
        ...{ instead_of: replaced, created_by: caller.accountId, created_time: now },
      })
      .returning("swap_id")
      .executeTakeFirstOrThrow();
    const nameOf = await namesOf(trx, plantId);
    const after = { accountId: nameOf(accountId), from, to, insteadOf: namesIn(replaced, nameOf) };
    await audit(trx, {
      ...{ plantId, userId, action: "roster.swap", now },
      detail: { target: roster.name, rosterId, swapId, after },
    });
    return swapId;
  });

/** Takes a swap back that has not ended: from now on the shifts count again. */
export const endSwap = ({ db, clock }: Needs, swapId: number, caller: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { plantId, userId } = caller;
    const now = clock.date();
    const row = await trx.selectFrom("roster_swaps").selectAll().where("swap_id", "=", swapId).executeTakeFirst();
    if (!row) throw notFound();
    const roster = await lockedRoster(trx, plantId, row.roster_id, now);
    if (row.to_time <= now) throw notFound();
    if (!maySwap(caller, row.instead_of)) throw notAllowed("You can take back only swaps of your own shifts");
    if (row.from_time < now)
      await trx.updateTable("roster_swaps").set({ to_time: now }).where("swap_id", "=", swapId).execute();
    else await trx.deleteFrom("roster_swaps").where("swap_id", "=", swapId).execute();
    const nameOf = await namesOf(trx, plantId);
    const before = {
      ...{ accountId: nameOf(row.account_id), from: row.from_time, to: row.to_time },
      insteadOf: namesIn(row.instead_of, nameOf),
    };
    await audit(trx, {
      ...{ plantId, userId, action: "roster.endSwap", now },
      detail: { target: roster.name, rosterId: row.roster_id, swapId, before },
    });
  });
