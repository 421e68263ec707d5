import { Message } from "@telltale/contract/call/codes";
import type { DashboardInfo } from "@telltale/contract/domains/dashboards";
import { notify } from "../../platform/bus/device-notices.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";

/** Refuses a change of something that has changed since it was looked at; it has to be locked. */
export const checkVersion = (looked: number | undefined, { version }: { version: number }): void => {
  if (looked !== undefined && looked !== version) throw conflict(Message.changedMeanwhile);
};

/** What the audit log keeps of a dashboard. */
export const recorded = (info: DashboardInfo | undefined) =>
  info && {
    name: info.name,
    notes: info.notes,
    status: info.status,
    deviceChannelIds: info.deviceChannelIds,
    dashboardGroupIds: info.dashboardGroupIds,
    deviceIds: info.deviceIds,
  };

interface Change {
  caller: Pick<Caller, "plantId" | "userId">;
  action: string;
  detail: Record<string, unknown>;
  now: Date;
}

/** Keeps who changed what, and tells every open dashboard of the plant when the change is committed. */
export const recordAndTell = async (db: Database, { caller, action, detail, now }: Change): Promise<void> => {
  const { plantId, userId } = caller;
  await audit(db, { plantId, userId, action, detail, now });
  await notify(db, { plantId });
};
