import type { accounts } from "@telltale/contract/domains/people/accounts";
import type { signIns } from "@telltale/contract/domains/people/sign-ins";
import { audit } from "../../platform/database/audit.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createGuessLimit } from "../../platform/limits/guess-limit.ts";
import type { World } from "../../world.ts";
import { createLogin } from "./login.ts";
import { activeAccounts, userInfo } from "./records/queries.ts";
import { createFirstOwnerSetup } from "./registration/first-owner.ts";
import { openAccount } from "./registration/new-account.ts";
import { endSignIns, signInRows } from "./sign-in/sessions.ts";
import { endSignIn, replaceSignIn } from "./sign-in/sign-in.ts";
import { openSupportLink } from "./sign-in/support-view.ts";
import { supportViews } from "./sign-in/support-view-queries.ts";

type Ended = { signInId: number } | { exceptTokenHash: string };

export const signInRoutes = ({ db, bus, clock }: Pick<World, "db" | "bus" | "clock">): Handlers<typeof signIns> => {
  const end = async ({ userId, plantId }: Caller, which: Ended): Promise<number> => {
    const now = clock.date();
    const ended = await db.transaction().execute(async (trx) => {
      const hashes = await endSignIns(trx, { userId, ...which }, now);
      const detail = { count: hashes.length };
      if (hashes.length > 0) await audit(trx, { plantId, userId, action: "signIns.end", detail, now });
      return hashes;
    });
    for (const tokenHash of ended) bus.emit("signOut", { tokenHash });
    return ended.length;
  };
  return {
    list: (_input, { userId, tokenHash }) => signInRows(db, { userId, tokenHash, now: clock.date() }),
    end: async ({ signInId }, caller) => {
      if ((await end(caller, { signInId })) === 0) throw notFound();
      return null;
    },
    endOthers: async (_input, caller) => {
      await end(caller, { exceptTokenHash: caller.tokenHash });
      return null;
    },
    supportViews: (page, { plantId }) => supportViews(db, plantId, page),
  };
};

export const accountRoutes = (
  world: Pick<World, "db" | "pool" | "bus" | "clock" | "node" | "closed" | "passwords">,
): Handlers<typeof accounts> => {
  const { db } = world;
  const login = createLogin(world);
  const setUpFirstOwner = createFirstOwnerSetup(world);
  const limited = createGuessLimit(world, "accounts");
  return {
    login: async (credentials, visitor) => userInfo(db, await login(credentials, visitor)),
    info: (_input, caller) => userInfo(db, caller),
    change: async ({ accountId }, caller) => {
      const own = await activeAccounts(db, caller.userId);
      if (!own.some((account) => account.account_id === accountId)) throw notFound();
      return userInfo(db, await replaceSignIn(world, caller, accountId));
    },
    openAccount: async ({ deviceSnId }, caller) => {
      const { token, accountId } = await limited(caller, () => openAccount(world, deviceSnId, caller));
      return { token, accountId };
    },
    signOut: async (_input, caller) => {
      await endSignIn(world, caller);
      return null;
    },
    createFirstOwner: async (input, visitor) => userInfo(db, await setUpFirstOwner(input, visitor)),
    openSupportView: async ({ supportToken }, visitor) =>
      userInfo(db, await openSupportLink(world, supportToken, visitor)),
  };
};
