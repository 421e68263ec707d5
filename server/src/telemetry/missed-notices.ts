import { setTimeout as sleep } from "node:timers/promises";
import type { DeviceEnd } from "../live/bus.ts";
import type { World } from "../world.ts";
import type { Registry } from "./registry.ts";

/** Wait before the database is asked again, milliseconds. */
const pause = 1_000;

const living =
  "SELECT device_id, is_disabled FROM devices WHERE device_id = ANY($1) AND device_id NOT IN (SELECT device_id FROM deleted_devices)";

interface Needs extends Pick<World, "pool" | "bus" | "log"> {
  registry: Registry;
}

const endOf = (isDisabled: boolean | undefined): { ended?: DeviceEnd } => {
  if (isDisabled === undefined) return { ended: "deleted" };
  return isDisabled ? { ended: "disabled" } : {};
};

/** Says of every device in memory that it changed, and what it ended by, as the notices would have. */
const sayAll = async ({ pool, bus, registry }: Needs): Promise<void> => {
  const ids = Array.from(registry.known(), ({ deviceId }) => deviceId);
  const { rows } = await pool.query<{ device_id: number; is_disabled: boolean }>(living, [ids]);
  const isDisabled = new Map(rows.map((row) => [row.device_id, row.is_disabled]));
  for (const deviceId of ids) bus.emit("deviceChange", { deviceId, ...endOf(isDisabled.get(deviceId)) });
};

/** Makes up for notices that were missed; tries until the database answers. Gives how to stop. */
export const makeUpForMissedNotices = (needs: Needs): (() => void) => {
  const { bus, log } = needs;
  let isStopped = false;
  const makeUp = async (): Promise<void> => {
    while (!isStopped) {
      try {
        return await sayAll(needs);
      } catch (fault) {
        log.warn({ err: fault }, "It was not looked what has changed meanwhile; tried again soon");
        await sleep(pause, undefined, { ref: false });
      }
    }
  };
  const unsubscribe = bus.on("noticesMissed", () => void makeUp());
  return () => {
    isStopped = true;
    unsubscribe();
  };
};
