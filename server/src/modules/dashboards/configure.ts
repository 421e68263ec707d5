import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import {
  type DashboardInfo,
  DashboardStatus,
  type dashboards,
  tilesError,
} from "@telltale/contract/domains/dashboard/dashboards";
import { ownDashboard } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { changeDashboard, dashboardCount, deleteDashboard, takeDefault } from "./change-queries.ts";
import { removeError, statusError, targetsOf } from "./configuration.rules.ts";
import { dashboardInfo, lockDashboards } from "./configuration-queries.ts";
import { addOfferedTiles } from "./first-tiles-queries.ts";
import { modelOf } from "./group-queries.ts";
import { arePlaceable, orderTiles, placeTiles } from "./placing-queries.ts";
import { checkVersion, recordAndNotify, recorded } from "./record.ts";

type Needs = Pick<World, "db" | "clock">;
type RequestInput = Input<typeof dashboards.edit>;

/** Reads a dashboard of the plant and locks the plant's dashboards until the transaction ends. */
const locked = async (db: Database, plantId: number, dashboardId: number): Promise<DashboardInfo> => {
  await lockDashboards(db, plantId);
  const found = await dashboardInfo(db, plantId, dashboardId);
  if (!found) throw notFound();
  return found;
};

const refuse = (validationError: string | undefined): void => {
  if (validationError) throw invalid(validationError);
};

/** The dashboard to save: fields left out keep their values, or are empty when it is new. */
const completed = (input: RequestInput, before: DashboardInfo | undefined) => ({
  name: input.name,
  notes: input.notes ?? before?.notes ?? "",
  status: input.status ?? before?.status ?? DashboardStatus.other,
  targets: targetsOf({
    deviceChannelIds: input.deviceChannelIds ?? before?.deviceChannelIds ?? [],
    dashboardGroupIds: input.dashboardGroupIds ?? before?.dashboardGroupIds ?? [],
    deviceIds: input.deviceIds ?? before?.deviceIds ?? [],
  }),
});
type Wanted = ReturnType<typeof completed>;

/** Creates an empty dashboard; a plant's first one is its default. */
const make = async (db: Database, wanted: Wanted, caller: Caller, now: Date): Promise<number> => {
  const { plantId, accountId } = caller;
  const isDefault = wanted.status === DashboardStatus.standard || (await dashboardCount(db, plantId)) === 0;
  if (isDefault) await takeDefault(db, plantId, now);
  const { dashboard_id } = await db
    .insertInto("dashboards")
    .values({
      plant_id: plantId,
      name: wanted.name,
      notes: wanted.notes,
      is_default: isDefault,
      created_by: accountId,
      created_time: now,
      modified_time: now,
    })
    .returning("dashboard_id")
    .executeTakeFirstOrThrow();
  return dashboard_id;
};

const change = async (
  db: Database,
  before: DashboardInfo,
  wanted: Wanted,
  caller: Caller,
  now: Date,
): Promise<void> => {
  const { name, notes, status } = wanted;
  const wasDefault = before.status === DashboardStatus.standard;
  refuse(statusError(wasDefault, status));
  const isDefault = status === DashboardStatus.standard;
  if (isDefault && !wasDefault) await takeDefault(db, caller.plantId, now);
  await changeDashboard(db, before.dashboardId, { name, notes, is_default: isDefault, now });
};

/** Creates or updates a dashboard atomically. Returns its id. */
export const editDashboard = ({ db, clock }: Needs, input: RequestInput, caller: Caller): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { plantId } = caller;
    const now = clock.date();
    await lockDashboards(trx, plantId);
    const before = input.dashboardId === undefined ? undefined : await locked(trx, plantId, input.dashboardId);
    if (before) checkVersion(input.version, before);
    const wanted = completed(input, before);
    refuse(tilesError(wanted.targets.length));
    if (!(await arePlaceable(trx, plantId, wanted.targets))) throw notFound();
    if (before) await change(trx, before, wanted, caller, now);
    const dashboardId = before?.dashboardId ?? (await make(trx, wanted, caller, now));
    await placeTiles(trx, dashboardId, wanted.targets);
    const after = recorded(await dashboardInfo(trx, plantId, dashboardId));
    const action = before ? "dashboard.edit" : "dashboard.add";
    await recordAndNotify(trx, { caller, action, detail: { dashboardId, before: recorded(before), after }, now });
    return dashboardId;
  });

/** Adds the tiles of a new device to the account's dashboard, which has too many for them to be added unasked. */
export const addOffer = ({ db, clock }: Needs, deviceId: number, caller: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { plantId } = caller;
    const shownId = await ownDashboard(trx, caller).executeTakeFirst();
    if (!shownId || (await modelOf(trx, plantId, deviceId)) === undefined) throw notFound();
    const { dashboard_id: dashboardId } = shownId;
    const before = await locked(trx, plantId, dashboardId);
    if (!(await addOfferedTiles(trx, dashboardId, deviceId))) return;
    const after = recorded(await dashboardInfo(trx, plantId, dashboardId));
    const detail = { dashboardId, before: recorded(before), after };
    await recordAndNotify(trx, { caller, action: "dashboard.edit", detail, now: clock.date() });
  });

/** Makes a dashboard the plant's default. */
export const setDashboardStatus = (
  { db, clock }: Needs,
  { dashboardId, status }: Input<typeof dashboards.setStatus>,
  caller: Caller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await locked(trx, caller.plantId, dashboardId);
    refuse(statusError(before.status === DashboardStatus.standard, status));
    if (before.status === status) return;
    const now = clock.date();
    await takeDefault(trx, caller.plantId, now);
    await changeDashboard(trx, dashboardId, { is_default: true, now });
    const detail = { dashboardId, before: { status: before.status }, after: { status } };
    await recordAndNotify(trx, { caller, action: "dashboard.default", detail, now });
  });

/** Deletes a dashboard; the default one only as the last. */
export const removeDashboard = ({ db, clock }: Needs, dashboardId: number, caller: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await locked(trx, caller.plantId, dashboardId);
    const others = (await dashboardCount(trx, caller.plantId)) - 1;
    refuse(removeError(before.status === DashboardStatus.standard, others));
    await deleteDashboard(trx, dashboardId);
    const detail = { dashboardId, before: recorded(before) };
    await recordAndNotify(trx, { caller, action: "dashboard.delete", detail, now: clock.date() });
  });

/** Reorders a dashboard's tiles. A list that lacks tiles is based on an outdated dashboard and is rejected. */
export const orderDashboard = (
  { db, clock }: Needs,
  { dashboardId, tileIds, version }: Input<typeof dashboards.order>,
  caller: Caller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await locked(trx, caller.plantId, dashboardId);
    checkVersion(version, before);
    const [standing, wanted] = [before.dashboardChannelList.map((tile) => tile.tileId), new Set(tileIds)];
    if (tileIds.some((id) => !standing.includes(id))) throw notFound();
    if (wanted.size !== standing.length) throw conflict(Message.changedMeanwhile);
    const now = clock.date();
    await orderTiles(trx, dashboardId, [...wanted]);
    await changeDashboard(trx, dashboardId, { now });
    const detail = { dashboardId, before: { tileIds: standing }, after: { tileIds: [...wanted] } };
    await recordAndNotify(trx, { caller, action: "dashboard.order", detail, now });
  });
