import type { audit } from "@telltale/contract/audit";
import type { Handlers } from "../http/mount.ts";
import type { World } from "../world.ts";
import { auditPage } from "./queries.ts";

export const auditRoutes = ({ db }: Pick<World, "db">): Handlers<typeof audit> => ({
  list: (filter, caller) => auditPage(db, caller.plantId, filter),
});
