import type { push } from "@telltale/contract/domains/people/push";
import { vapidKeys } from "../../notify/index.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { browsersOf, removeBrowser, resume, subscribe } from "./subscriptions.ts";

/** `services`: addresses of push services besides the browsers' own. */
export const pushRoutes = (world: Pick<World, "db" | "clock">, services: readonly string[]): Handlers<typeof push> => ({
  list: async (_, caller) => ({
    publicKey: (await vapidKeys(world.db)).publicKey,
    browsers: await browsersOf(world.db, caller),
  }),
  subscribe: async (input, caller) => ({ pushId: await subscribe(world, input, { caller, services }) }),
  resume: async ({ endpoint }, caller) => ({ isSubscribed: await resume(world.db, endpoint, caller) }),
  remove: async ({ pushId }, caller) => {
    await removeBrowser(world, pushId, caller);
    return null;
  },
});
