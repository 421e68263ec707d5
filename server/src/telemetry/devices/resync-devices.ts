import { setTimeout as sleep } from "node:timers/promises";
import type { DeviceEnd } from "../../platform/bus/bus.ts";
import type { World } from "../../world.ts";
import type { Registry } from "./registry.ts";

/** Wait before the database is asked again, milliseconds. */
const pause = 1_000;
/** So many devices at a time, and a rest after them, milliseconds: loading a large fleet again at once would keep its readings waiting. */
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

/** Says of these devices that they changed, and what they ended by, as the notices would have. */
const say = async ({ pool, bus }: Needs, ids: readonly number[]): Promise<void> => {
  const { rows } = await pool.query<{ device_id: number; is_disabled: boolean }>(living, [ids]);
  const isDisabled = new Map(rows.map((row) => [row.device_id, row.is_disabled]));
  for (const deviceId of ids) bus.emit("deviceChange", { deviceId, ...endOf(isDisabled.get(deviceId)) });
};

/** Makes up for notices that were missed, for every device in memory; tries until the database answers. Gives how to stop. */
export const resyncDevices = (needs: Needs): (() => void) => {
  const { bus, log, registry } = needs;
  let newest = 0;
  const makeUp = async (): Promise<void> => {
    const round = ++newest;
    let left = Array.from(registry.known(), ({ deviceId }) => deviceId);
    // When more was missed meanwhile, another round begins with all of them.
    while (round === newest && left.length > 0) {
      try {
        await say(needs, left.slice(0, portion));
        left = left.slice(portion);
        await sleep(rest, undefined, { ref: false });
      } catch (fault) {
        log.warn({ err: fault }, "It was not looked what has changed meanwhile; tried again soon");
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
