import type { silences } from "@telltale/contract/domains/silences";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { addSilence, endSilence, updateSilence } from "./change.ts";
import { silencesInForce } from "./queries.ts";

export const silenceRoutes = (world: Pick<World, "db" | "bus" | "clock">): Handlers<typeof silences> => ({
  add: async (input, caller) => ({ silenceId: await addSilence(world, input, caller) }),
  update: async (input, caller) => {
    await updateSilence(world, input, caller);
    return null;
  },
  end: async ({ silenceId }, caller) => {
    await endSilence(world, silenceId, caller);
    return null;
  },
  list: (_, caller) => silencesInForce(world.db, caller),
});
