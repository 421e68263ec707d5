import type { KnownDevice } from "../../../telemetry/index.ts";
import type { World } from "../../../world.ts";

/**
 * How long after a connection a resend without the DUP flag is recognised, and how old it may be then, milliseconds: widespread clients do not set the
 * flag, although MQTT demands it [MQTT-3.3.1-1]. Limited to messages whose acknowledgement may be lost, since packet identifiers restart with every
 * connection.
 */
export const grace = 60_000;

/** Messages of this time, epoch milliseconds, may be resent without the DUP flag; both ends excluded. */
export interface ResendWindow {
  from: number;
  to: number;
}

/** A connection itself counts as hearing the device within this time, milliseconds. */
const connecting = 100;

/** After a start, devices come back within this time and may resend what they sent before the server went away, milliseconds. */
const returnTime = 300_000;

/** Devices that have connected a moment ago, and what they may resend. */
export const createWindows = ({ clock }: Pick<World, "clock">) => {
  const windows = new Map<number, ResendWindow>();
  const startedAt = clock.now();
  return {
    open: ({ deviceId, heardAt }: KnownDevice): void => {
      const now = clock.now();
      const lost = now < startedAt + returnTime ? Math.min(startedAt, now) : now;
      const before = windows.get(deviceId);
      // A connection over which nothing came leaves what the device may resend.
      const from = before && heardAt <= before.to + connecting ? Math.min(before.from, heardAt) : heardAt;
      const window = { from: Math.max(from, lost - grace), to: now };
      windows.set(deviceId, window);
      const close = () => {
        if (windows.get(deviceId) === window) windows.delete(deviceId);
      };
      setTimeout(close, grace).unref();
    },
    close: (deviceId: number) => void windows.delete(deviceId),
    of: (deviceId: number): ResendWindow | undefined => {
      const window = windows.get(deviceId);
      return window && clock.now() < window.to + grace ? window : undefined;
    },
  };
};

/**
 * Devices that were loaded again a moment ago: another node may have written them, so that what still comes over their connections here may have been
 * sent to it as well.
 */
export const createReloads = ({ clock }: Pick<World, "clock">) => {
  const known = new Map<number, { loads: number; at: number }>();
  return {
    /** Whether the device of this message was loaded again within the last minute; at its first message it was not. */
    isRecent: (deviceId: number, loads: number): boolean => {
      const before = known.get(deviceId);
      if (before?.loads === loads) return clock.now() < before.at + grace;
      known.set(deviceId, { loads, at: before ? clock.now() : Number.NEGATIVE_INFINITY });
      return before !== undefined;
    },
  };
};
