import { setTimeout as sleep } from "node:timers/promises";
import type { DeviceEnd } from "../../platform/bus/bus.ts";
import type { World } from "../../world.ts";
import type { Registry } from "./registry.ts";

/** Delay before a retry, milliseconds. */
const pause = 1_000;
/** Devices per portion, and the pause after each, milliseconds: reloading a large fleet at once would delay its readings. */
const portion = 500;
const rest = 250;

const living =
  "SELECT device_id, is_disabled FROM devices WHERE device_id = ANY($1) AND device_id NOT IN (SELECT device_id FROM deleted_devices)";

interface Needs extends Pick<World, "pool" | "bus" | "log"> {
  registry: Registry;
}

const endOf = (isDisabled: boolean | undefined): { ended?: DeviceEnd } => {
  if (isDisabled === undefined) return { ended: "deleted" };
  return isDisabled ? { ended: "disabled" } : {};
};

/** Emits `deviceChange` for these devices as the missed notices would have. */
const announce = async ({ pool, bus }: Needs, ids: readonly number[]): Promise<void> => {
  const { rows } = await pool.query<{ device_id: number; is_disabled: boolean }>(living, [ids]);
  const isDisabled = new Map(rows.map((row) => [row.device_id, row.is_disabled]));
  for (const deviceId of ids) bus.emitHere("deviceChange", { deviceId, ...endOf(isDisabled.get(deviceId)) });
};

/**
 * Replaces missed notices by emitting a change for every device in memory; retries until the database answers. Returns the function that stops it.
 */
export const resyncDevices = (needs: Needs): (() => void) => {
  const { bus, log, registry } = needs;
  let newest = 0;
  const makeUp = async (): Promise<void> => {
    const round = ++newest;
    let left = Array.from(registry.known(), ({ deviceId }) => deviceId);
    // When notices are missed again, a new round starts with all devices.
    while (round === newest && left.length > 0) {
      try {
        await announce(needs, left.slice(0, portion));
        left = left.slice(portion);
        await sleep(rest, undefined, { ref: false });
      } catch (fault) {
        log.warn(
          { err: fault },
          "Could not reload devices after missed change notices; their settings may be out of date. Retrying in a second",
        );
        await sleep(pause, undefined, { ref: false });
      }
    }
  };
  const unsubscribe = bus.on("noticesMissed", () => void makeUp());
  return () => {
    newest += 1;
    unsubscribe();
  };
};
