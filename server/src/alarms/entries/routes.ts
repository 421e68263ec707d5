import type { alertEntries } from "@telltale/contract/domains/alert-entries";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { alertInfo } from "./info.ts";
import { assign, assignees, note } from "./notes.ts";
import { passedSinceVisit } from "./passed.ts";
import { standingAlerts } from "./standing.ts";

export const alertEntryRoutes = (
  world: Pick<World, "db" | "pool" | "bus" | "clock">,
): Handlers<typeof alertEntries> => ({
  standing: (filter, caller) => standingAlerts(world, caller, filter),
  info: ({ alarmLogId }, caller) => alertInfo(world, caller, alarmLogId),
  note: async ({ alarmLogId, note: text }, caller) => {
    await note(world, caller, alarmLogId, text);
    return null;
  },
  assignees: (_, caller) => assignees(world.db, caller),
  assign: async ({ alarmLogId, accountId }, caller) => {
    await assign(world, caller, alarmLogId, accountId);
    return null;
  },
  passed: (_, caller) => passedSinceVisit(world.db, caller, world.clock.date()),
});
