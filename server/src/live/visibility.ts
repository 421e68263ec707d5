import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { devicesInScope, isLimited, type Scope } from "../access/index.ts";
import type { Database } from "../platform/database/schema/schema.ts";

/** Which messages of a plant an account gets. Accounts that see the same share one. */
export interface Visibility {
  /** Names what is seen; see `visibilityKey`. */
  key: string;
  sees(message: LiveMessage): boolean;
  /** Looks again what is on the dashboard. */
  reload(): Promise<void>;
}

/** Accounts with the same key see the same. */
export const visibilityKey = (scope: Scope): string =>
  `plant ${scope.plantId}${isLimited(scope) ? `, dashboard ${scope.dashboardId ?? "by default"}` : ""}`;

const seen = async (db: Database, scope: Scope) => {
  const rows = await devicesInScope(db, scope)
    .leftJoin("channels", "channels.device_id", "devices.device_id")
    .select(["devices.device_id", "channels.channel_id"])
    .execute();
  return {
    devices: new Set(rows.map((row) => row.device_id)),
    channels: new Set(rows.map((row) => row.channel_id)),
  };
};

/** What an account may see of its plant, as it is now: everything, or a viewer's dashboard. */
export const createVisibility = async (db: Database, scope: Scope): Promise<Visibility> => {
  const key = visibilityKey(scope);
  if (!isLimited(scope)) return { key, sees: () => true, reload: async () => undefined };
  let now = await seen(db, scope);
  // A device that has just left the dashboard: its viewers are still told of that one change.
  let before = now;
  const isDevice = (id: number): boolean => now.devices.has(id) || before.devices.has(id);
  return {
    key,
    sees: (message) => {
      if (message.cmd === LiveCommand.value) return now.channels.has(message.deviceChannelId);
      // Who sees a part of the plant only sees no joint control. (contract/permissions)
      if (message.cmd === LiveCommand.jointChange) return false;
      return message.deviceId === undefined || isDevice(message.deviceId);
    },
    reload: async () => {
      const next = await seen(db, scope);
      before = now;
      now = next;
    },
  };
};
