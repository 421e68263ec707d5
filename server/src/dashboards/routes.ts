import type { dashboards } from "@telltale/contract/dashboards";
import { areChannelsInScope } from "../devices/scope-queries.ts";
import type { Handlers } from "../http/mount.ts";
import { notFound, noUnitPart } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { dashboardId, dashboardNames, filledTiles, filledUnits } from "./queries.ts";
import { tileOf, unitParts } from "./rules.ts";

export const dashboardRoutes = ({ db, clock }: Pick<World, "db" | "clock">): Handlers<typeof dashboards> => ({
  tiles: async (asked, caller) => {
    const id = await dashboardId(db, caller, asked.dashboardId);
    if (id !== undefined)
      return (await filledTiles(db, caller, id, clock.date())).flatMap((tile) => tileOf(tile) ?? []);
    if (asked.dashboardId !== undefined) throw notFound();
    return [];
  },
  unitPart: async ({ deviceChannelIds }, caller) => {
    if (!(await areChannelsInScope(db, caller, deviceChannelIds))) throw notFound();
    const parts = unitParts(await filledUnits(db, caller, deviceChannelIds, clock.date()), deviceChannelIds);
    if (parts.length === 0) throw noUnitPart();
    return parts;
  },
  names: async (_, caller) =>
    (await dashboardNames(db, caller)).map((row) => ({
      dashboardId: row.dashboard_id,
      name: row.name,
      status: row.is_default ? 1 : 0,
    })),
});
