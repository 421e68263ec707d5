import type { Input } from "@telltale/contract/call/call";
import type { DashboardGroup, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { Model } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { lockDashboards } from "./configuration-queries.ts";
import { dashboardGroup, deleteGroup, devicesOfChannels, fillGroup, modelOf } from "./group-queries.ts";
import { checkVersion, recordAndNotify } from "./record.ts";

type Needs = Pick<World, "db" | "clock">;
type RequestInput = Input<typeof dashboards.editGroup>;

/** A group as recorded in the audit log. */
const recorded = (group: DashboardGroup | undefined) =>
  group && {
    groupName: group.groupName,
    icon: group.icon,
    deviceId: group.deviceId,
    deviceChannelIds: group.deviceChannelIds,
  };

const locked = async (db: Database, plantId: number, groupId: number): Promise<DashboardGroup> => {
  const found = await dashboardGroup(db, plantId, groupId);
  if (!found) throw notFound();
  return found;
};

/** Requires channels of one motor controller of the plant. */
const check = async (db: Database, plantId: number, { deviceId, deviceChannelIds }: RequestInput): Promise<void> => {
  const model = await modelOf(db, plantId, deviceId);
  const devices = await devicesOfChannels(db, plantId, deviceChannelIds);
  if (model === undefined || deviceChannelIds.some((id) => !devices.has(id))) throw notFound();
  if (model !== Model.motorController) throw invalid("Choose a motor controller");
  if ([...devices.values()].some((id) => id !== deviceId))
    throw invalid("The channels of a group have to be of one device");
};

const save = async (db: Database, input: RequestInput, caller: Caller, now: Date): Promise<number> => {
  const fields = { device_id: input.deviceId, name: input.groupName, icon: input.icon, modified_time: now };
  if (input.dashboardGroupId !== undefined) {
    await db
      .updateTable("dashboard_groups")
      .set({ ...fields, version: sql<number>`version + 1` })
      .where("group_id", "=", input.dashboardGroupId)
      .execute();
    return input.dashboardGroupId;
  }
  const { group_id } = await db
    .insertInto("dashboard_groups")
    .values({ ...fields, plant_id: caller.plantId, created_by: caller.accountId })
    .returning("group_id")
    .executeTakeFirstOrThrow();
  return group_id;
};

/** Creates or updates a group of a motor controller's channels. Returns its id. */
export const editGroup = ({ db, clock }: Needs, input: RequestInput, caller: Caller): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { plantId } = caller;
    const now = clock.date();
    const { dashboardGroupId: groupId } = input;
    // A new group is on no dashboard yet.
    if (groupId !== undefined) await lockDashboards(trx, plantId);
    const before = groupId === undefined ? undefined : await locked(trx, plantId, groupId);
    await check(trx, plantId, input);
    if (before) checkVersion(input.version, before);
    const dashboardGroupId = await save(trx, input, caller, now);
    await fillGroup(trx, dashboardGroupId, [...new Set(input.deviceChannelIds)]);
    const after = recorded(await dashboardGroup(trx, plantId, dashboardGroupId));
    const action = before ? "dashboardGroup.edit" : "dashboardGroup.add";
    await recordAndNotify(trx, { caller, action, detail: { dashboardGroupId, before: recorded(before), after }, now });
    return dashboardGroupId;
  });

/** Deletes a group, also from the dashboards that show it. */
export const removeGroup = ({ db, clock }: Needs, dashboardGroupId: number, caller: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockDashboards(trx, caller.plantId);
    const before = await locked(trx, caller.plantId, dashboardGroupId);
    const now = clock.date();
    await deleteGroup(trx, dashboardGroupId, now);
    const detail = { dashboardGroupId, before: recorded(before) };
    await recordAndNotify(trx, { caller, action: "dashboardGroup.delete", detail, now });
  });
