import { Message } from "@telltale/contract/call/codes";
import type { DashboardInfo } from "@telltale/contract/domains/dashboard/dashboards";
import { notify } from "../../platform/bus/device-notices.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";

/** Throws when a locked row has changed since the user loaded it. */
export const checkVersion = (looked: number | undefined, { version }: { version: number }): void => {
  if (looked !== undefined && looked !== version) throw conflict(Message.changedMeanwhile);
};

/** A dashboard as recorded in the audit log. */
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

/** Adds an audit entry, and notifies the plant's open dashboards when the transaction commits. */
export const recordAndNotify = async (db: Database, { caller, action, detail, now }: Change): Promise<void> => {
  const { plantId, userId } = caller;
  await audit(db, { plantId, userId, action, detail, now });
  await notify(db, { plantId });
};
