import { type ChangedRecord, LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { devicesInScope, isLimited, type Scope } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Which messages of a plant an account receives. Accounts with equal visibility share one. */
export interface Visibility {
  /** Identifies the visibility; see `visibilityKey`. */
  key: string;
  sees(message: LiveMessage): boolean;
  /** Whether it sees all these devices now. */
  seesAll(deviceIds: readonly number[]): boolean;
  /** Reloads the dashboard's devices, as they are at the time of the call or later; absent where all of the plant is seen. */
  reload?(): Promise<void>;
}

/** Accounts with the same key have the same visibility. */
export const visibilityKey = (scope: Scope): string =>
  `plant ${scope.plantId}${isLimited(scope) ? `, dashboard ${scope.dashboardId ?? "by default"}` : ""}`;

/** Records of which an account with limited visibility sees those of its devices. */
const seenByAll: ReadonlySet<ChangedRecord> = new Set(["maintenance", "silence"]);

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

/** How long changes of a device that has left a dashboard are still received, milliseconds: its last one comes soon after it has left. */
const farewell = 5_000;

/** The current visibility of an account: the whole plant, or a viewer's dashboard. */
export const createVisibility = async (db: Database, scope: Scope): Promise<Visibility> => {
  const key = visibilityKey(scope);
  if (!isLimited(scope)) return { key, sees: () => true, seesAll: () => true };
  let now = await seen(db, scope);
  // Viewers still receive the one change that removes a device from their dashboard.
  let before = now;
  let left = Number.NEGATIVE_INFINITY;
  const isDevice = (id: number): boolean =>
    now.devices.has(id) || (before.devices.has(id) && performance.now() - left < farewell);
  const load = async (): Promise<void> => {
    const next = await seen(db, scope);
    // A repeated reload of the same dashboard must not forget what has just been removed.
    if ([...now.devices].some((id) => !next.devices.has(id))) {
      before = now;
      left = performance.now();
    }
    now = next;
  };
  let last: Promise<unknown> = Promise.resolve();
  let queued: Promise<void> | undefined;
  return {
    key,
    sees: (message) => {
      if (message.cmd === LiveCommand.value) return now.channels.has(message.deviceChannelId);
      // Accounts with limited visibility see neither joint controls nor most records. (contract/permissions)
      if (message.cmd === LiveCommand.jointChange) return false;
      if (message.cmd === LiveCommand.recordChange) return seenByAll.has(message.record);
      return message.deviceId === undefined || isDevice(message.deviceId);
    },
    seesAll: (deviceIds) => deviceIds.every((id) => now.devices.has(id)),
    // One after the other, so that an earlier answer never replaces a later one; all who wait share the next.
    reload: () => {
      queued ??= last.then(() => {
        queued = undefined;
        const loading = load();
        last = loading.catch(() => undefined);
        return loading;
      });
      return queued;
    },
  };
};
