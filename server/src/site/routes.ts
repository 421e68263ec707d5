import type { site } from "@telltale/contract/site";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { keptMessages } from "./queries.ts";

/** `hasOpenOutbox`: whether anybody may look into the outbox, as in a demonstration. */
export const siteRoutes = (
  world: Pick<World, "db" | "publicUrl" | "payments">,
  hasOpenOutbox: boolean,
): Handlers<typeof site> => ({
  info: async () => ({ hasOutbox: hasOpenOutbox, hasPayments: world.payments.kind !== "none" }),
  outbox: async (asked) => {
    if (!hasOpenOutbox) throw notFound();
    return keptMessages(world, asked);
  },
});
