import { crc32 } from "node:zlib";
import { bigints, integers } from "../database/array-parameters.ts";
import { gathered } from "../database/gather.ts";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { World } from "../world.ts";

/** What a transport says about a message, beyond its content. */
export interface Delivery {
  /** MQTT packet identifier of a QoS 1 or 2 message. */
  packetId?: number;
  /** The sender says that it sends the message again. */
  isRepeated?: boolean;
  /** Whether the sender has gone, so that it will not hear of an acknowledgement. */
  isGone?: () => boolean;
}

/** Finds the arrival time of a message again when its sender repeats it. */
export interface MessageIdentity {
  deviceId: number;
  slot: number;
  digest: number;
}

/** Places for arrival times of one device; more messages than these are never in flight at once. */
const arrivalSlots = 1024;

/** Undefined for a message that its transport never repeats. */
export const identityOf = (
  device: KnownDevice,
  payload: Buffer,
  { packetId }: Delivery,
): MessageIdentity | undefined =>
  packetId === undefined
    ? undefined
    : { deviceId: device.deviceId, slot: packetId % arrivalSlots, digest: crc32(payload, packetId) };

const earlierArrivals = `
  SELECT arrivals.ts FROM unnest($1::int4[], $2::int4[], $3::int8[]) WITH ORDINALITY AS asked(device_id, packet_id, digest, place)
    LEFT JOIN arrivals USING (device_id, packet_id, digest) ORDER BY asked.place`;

/**
 * How long a message may come again without saying so, milliseconds: widespread clients do not, though MQTT demands it [MQTT-3.3.1-1]. Only
 * of a message whose acknowledgement was lost is it believed, since packet identifiers begin anew with every connection.
 */
const grace = 60_000;

/** Arrival times that messages without a time of their own were given. */
export interface Arrivals {
  /** The time that this message was given if it was committed before, epoch milliseconds; not a promise when that can't be. */
  committed(identity: MessageIdentity, isRepeated: boolean): Promise<number | undefined> | undefined;
  /** The time that it was given if it still waits for its commit, as a device may well send it again meanwhile. */
  waiting(identity: MessageIdentity): number | undefined;
  /** The message waits with this time for its commit; the function given back ends that, later when its acknowledgement is lost. */
  wait(identity: MessageIdentity, ts: number): (isLost: boolean) => void;
}

const keyOf = ({ deviceId, slot, digest }: MessageIdentity): string => `${deviceId}:${slot}:${digest}`;

const committedFinder = ({ pool }: Pick<World, "pool">) =>
  gathered(async (asked: readonly MessageIdentity[]) => {
    const { rows } = await pool.query<{ ts: number | null }>(earlierArrivals, [
      integers(asked.map(({ deviceId }) => deviceId)),
      integers(asked.map(({ slot }) => slot)),
      bigints(asked.map(({ digest }) => digest)),
    ]);
    return rows.map(({ ts }) => ts ?? undefined);
  });

export const createArrivals = (world: Pick<World, "pool" | "clock">): Arrivals => {
  const startedAt = world.clock.now();
  const waiting = new Map<string, { ts: number }>();
  const find = committedFinder(world);
  /** The server itself may have ended before its acknowledgements were out; each of those is sent again once. */
  const sentAgain = new Set<string>();
  const findUnacknowledged = async (identity: MessageIdentity): Promise<number | undefined> => {
    const ts = await find(identity);
    const key = keyOf(identity);
    if (ts === undefined || ts < startedAt - grace || ts >= startedAt || sentAgain.has(key)) return undefined;
    sentAgain.add(key);
    return ts;
  };
  return {
    committed: (identity, isRepeated) => {
      if (isRepeated) return find(identity);
      if (world.clock.now() < startedAt + grace) return findUnacknowledged(identity);
      sentAgain.clear();
      return undefined;
    },
    waiting: (identity) => waiting.get(keyOf(identity))?.ts,
    wait: (identity, ts) => {
      const key = keyOf(identity);
      const entry = waiting.get(key) ?? { ts };
      waiting.set(key, entry);
      const end = () => {
        if (waiting.get(key) === entry) waiting.delete(key);
      };
      return (isLost) => {
        if (isLost) setTimeout(end, grace).unref();
        else end();
      };
    },
  };
};
