import type { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import type { tileOffers as offered } from "@telltale/contract/domains/dashboard/tile-offers";
import { sparklineSpan } from "@telltale/contract/domains/dashboard/tiles";
import { areChannelsInScope } from "../../access/index.ts";
import { notFound, noUnitPart } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { tileChoices } from "./choice-queries.ts";
import { dashboardInfo, dashboardPage } from "./configuration-queries.ts";
import { addOffer, editDashboard, orderDashboard, removeDashboard, setDashboardStatus } from "./configure.ts";
import { tileOffers } from "./first-tiles-queries.ts";
import { dashboardGroup, dashboardGroups, modelOf } from "./group-queries.ts";
import { editGroup, removeGroup } from "./groups.ts";
import { dashboardId, dashboardNames, filledTiles, filledUnits, tracedIds, tracedOf } from "./queries.ts";
import { tileOf, unitParts } from "./rules.ts";
import { createSparklines } from "./sparklines.ts";

type Needs = Pick<World, "db" | "pool" | "clock">;
type Shown = Pick<Handlers<typeof dashboards>, "tiles" | "unitPart" | "sparklines" | "names">;

/** Routes that read dashboards. */
const shownRoutes = ({ db, pool, clock }: Needs, sparklines = createSparklines({ pool, clock })): Shown => ({
  tiles: async (input, caller) => {
    const id = await dashboardId(db, caller, input.dashboardId);
    if (id === undefined) return [];
    return (await filledTiles(db, caller, id, clock.date())).flatMap((tile) => tileOf(tile) ?? []);
  },
  unitPart: async ({ deviceChannelIds }, caller) => {
    if (!(await areChannelsInScope(db, caller, deviceChannelIds))) throw notFound();
    const parts = unitParts(await filledUnits(db, caller, deviceChannelIds, clock.date()), deviceChannelIds);
    if (parts.length === 0) throw noUnitPart();
    return parts;
  },
  sparklines: async (input, caller) => {
    const id = input.dashboardId ?? (await dashboardId(db, caller, undefined));
    const idsOf = async (): Promise<number[]> => {
      if (id === undefined) return [];
      const [ids] = await Promise.all([tracedIds(db, caller, id), dashboardId(db, caller, id)]);
      return ids;
    };
    const from = new Date(clock.now() - sparklineSpan);
    return sparklines(`${caller.plantId}/${id}`, idsOf(), (ids) => tracedOf(db, caller, ids, from));
  },
  names: async (_, caller) =>
    (await dashboardNames(db, caller)).map((row) => ({
      dashboardId: row.dashboard_id,
      name: row.name,
      status: row.is_default ? 1 : 0,
    })),
});

/** Returns the row, or throws 404. */
const found = <T>(row: T | undefined): T => {
  if (row === undefined) throw notFound();
  return row;
};

export const dashboardRoutes = (world: Needs): Handlers<typeof dashboards> => ({
  ...shownRoutes(world),
  list: (filter, caller) => dashboardPage(world.db, caller.plantId, filter),
  info: async (input, caller) => found(await dashboardInfo(world.db, caller.plantId, input.dashboardId)),
  choices: (filter, caller) => tileChoices(world.db, caller.plantId, filter),
  edit: async (input, caller) => ({ dashboardId: await editDashboard(world, input, caller) }),
  order: async (input, caller) => {
    await orderDashboard(world, input, caller);
    return null;
  },
  setStatus: async (input, caller) => {
    await setDashboardStatus(world, input, caller);
    return null;
  },
  remove: async (input, caller) => {
    await removeDashboard(world, input.dashboardId, caller);
    return null;
  },
  groups: async ({ deviceId }, caller) => {
    if (deviceId !== undefined) found(await modelOf(world.db, caller.plantId, deviceId));
    return dashboardGroups(world.db, caller.plantId, deviceId);
  },
  group: async (input, caller) => found(await dashboardGroup(world.db, caller.plantId, input.dashboardGroupId)),
  editGroup: async (input, caller) => ({ dashboardGroupId: await editGroup(world, input, caller) }),
  removeGroup: async (input, caller) => {
    await removeGroup(world, input.dashboardGroupId, caller);
    return null;
  },
});

export const tileOfferRoutes = (world: Needs): Handlers<typeof offered> => ({
  list: async (_, caller) => {
    const id = await dashboardId(world.db, caller, undefined);
    const { plantId } = caller;
    return id === undefined ? [] : tileOffers(world.db, { plantId, dashboardId: id, now: world.clock.date() });
  },
  add: async ({ deviceId }, caller) => {
    await addOffer(world, deviceId, caller);
    return null;
  },
});
