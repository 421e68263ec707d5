import { Message } from "@telltale/contract/call/codes";
import { maxWatchedChannels, type personal } from "@telltale/contract/domains/people/personal";
import { areChannelsInScope } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { reordered, withAdded } from "./rules.ts";
import { channelNames, lockWatchlist, putWatchlist, watchChoices, watchedIds, watchlist } from "./watchlist.ts";

/** Changes the caller's watchlist by `next` and adds an audit entry. */
const change = ({ db, clock }: Pick<World, "db" | "clock">, caller: Caller) => {
  const { plantId, userId } = caller;
  return (verb: string, next: (trx: Database, list: readonly number[]) => Promise<number[]>): Promise<null> =>
    db.transaction().execute(async (trx) => {
      await lockWatchlist(trx, caller);
      const before = await watchedIds(trx, caller);
      const after = await next(trx, before);
      if (after.join() === before.join()) return null;
      await putWatchlist(trx, caller, after);
      const named = async (ids: readonly number[]) => ({ channels: await channelNames(trx, ids) });
      const detail = { before: await named(before), after: await named(after) };
      await audit(trx, { plantId, userId, action: `watchlist.${verb}`, detail, now: clock.date() });
      return null;
    });
};

export const personalRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof personal> => {
  const { db, clock } = world;
  return {
    list: (_, caller) => watchlist(db, caller, clock.date()),
    choices: (filter, caller) => watchChoices(db, caller, filter),
    add: ({ deviceChannelIds }, caller) =>
      change(world, caller)("add", async (trx, list) => {
        if (!(await areChannelsInScope(trx, caller, deviceChannelIds))) throw notFound();
        const after = withAdded(list, deviceChannelIds);
        if (after.length > maxWatchedChannels)
          throw invalid(`A watchlist holds at most ${maxWatchedChannels} channels`);
        return after;
      }),
    order: ({ deviceChannelIds }, caller) =>
      change(world, caller)("order", async (trx, list) => {
        if (!(await areChannelsInScope(trx, caller, deviceChannelIds))) throw notFound();
        const seen = (await watchlist(trx, caller, clock.date())).map((channel) => channel.deviceChannelId);
        const after = reordered(list, seen, deviceChannelIds);
        if (!after) throw conflict(Message.changedMeanwhile);
        return after;
      }),
    remove: ({ deviceChannelId }, caller) =>
      change(world, caller)("delete", async (_, list) => {
        if (!list.includes(deviceChannelId)) throw notFound();
        return list.filter((id) => id !== deviceChannelId);
      }),
  };
};
