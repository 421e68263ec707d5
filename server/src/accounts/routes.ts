import type { accounts } from "@telltale/contract/accounts";
import { createGuessLimit } from "../http/guess-limit.ts";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { createFirstOwnerSetup } from "./first-owner.ts";
import { createLogin } from "./login.ts";
import { openAccount } from "./new-account.ts";
import { activeAccounts, userInfo } from "./queries.ts";
import { endSignIn, replaceSignIn } from "./sign-in.ts";
import { openSupportLink } from "./support-view.ts";

export const accountRoutes = (world: Pick<World, "db" | "bus" | "clock" | "closed">): Handlers<typeof accounts> => {
  const { db } = world;
  const login = createLogin(world);
  const setUpFirstOwner = createFirstOwnerSetup(world);
  const limited = createGuessLimit(world.clock);
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
    createFirstOwner: async (asked, visitor) => userInfo(db, await setUpFirstOwner(asked, visitor)),
    openSupportView: async ({ supportToken }, visitor) =>
      userInfo(db, await openSupportLink(world, supportToken, visitor)),
  };
};
