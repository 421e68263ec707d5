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

/** Arrival times that messages without a time of their own were given. */
export interface Arrivals {
  /** The time that this message was given if it was committed before, epoch milliseconds. */
  committed(identity: MessageIdentity): Promise<number | undefined>;
  /** The time that it was given if it still waits for its commit, as a device may well repeat it meanwhile. */
  waiting(identity: MessageIdentity): number | undefined;
  /** The message waits for its commit with this time; the function given back says that it does not wait any more. */
  wait(identity: MessageIdentity, ts: number): () => void;
}

const keyOf = ({ deviceId, slot, digest }: MessageIdentity): string => `${deviceId}:${slot}:${digest}`;

export const createArrivals = ({ pool }: Pick<World, "pool">): Arrivals => {
  const waiting = new Map<string, { ts: number; count: number }>();
  return {
    committed: gathered(async (asked: readonly MessageIdentity[]) => {
      const { rows } = await pool.query<{ ts: number | null }>(earlierArrivals, [
        integers(asked.map(({ deviceId }) => deviceId)),
        integers(asked.map(({ slot }) => slot)),
        bigints(asked.map(({ digest }) => digest)),
      ]);
      return rows.map(({ ts }) => ts ?? undefined);
    }),
    waiting: (identity) => waiting.get(keyOf(identity))?.ts,
    wait: (identity, ts) => {
      const key = keyOf(identity);
      const entry = waiting.get(key) ?? { ts, count: 0 };
      waiting.set(key, entry);
      entry.count += 1;
      return () => {
        entry.count -= 1;
        if (entry.count === 0) waiting.delete(key);
      };
    },
  };
};
