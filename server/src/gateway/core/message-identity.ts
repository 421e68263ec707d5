import { crc32 } from "node:zlib";
import { bigints, integers } from "../../platform/database/array-parameters.ts";
import { batched } from "../../platform/database/batched.ts";
import type { KnownDevice } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";

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
  /** How often its device had left in order before. */
  visit: number;
}

/** Places for arrival times of one device; more messages than these are never in flight at once. */
const arrivalSlots = 1024;

const earlierArrivals = `
  SELECT arrivals.ts FROM unnest($1::int4[], $2::int4[], $3::int8[]) WITH ORDINALITY AS asked(device_id, packet_id, digest, place)
    LEFT JOIN arrivals USING (device_id, packet_id, digest) ORDER BY asked.place`;

/**
 * How long a message may come again without saying so, milliseconds: widespread clients do not, though MQTT demands it [MQTT-3.3.1-1]. Only
 * of a message whose acknowledgement was lost is it believed, since packet identifiers begin anew with every connection.
 */
const grace = 60_000;

/**
 * A stop in order leaves a row of no device, and for each message whose acknowledgement was lost one under its device's number below zero. They are taken
 * away at the next start: without them the server was killed, and any acknowledgement of its last moments may be lost.
 */
const removeStopRows = "DELETE FROM arrivals WHERE device_id <= 0 RETURNING device_id, packet_id, digest";
const insertStopRows = `
  INSERT INTO arrivals (device_id, packet_id, digest, ts) SELECT * FROM unnest($1::int4[], $2::int4[], $3::int8[], $4::int8[])
  ON CONFLICT (device_id, packet_id) DO UPDATE SET digest = excluded.digest, ts = excluded.ts`;

interface StopRow {
  device_id: number;
  packet_id: number;
  digest: number;
}

/** Arrival times that messages without a time of their own were given. */
export interface Arrivals {
  /** Undefined for a message that its transport never repeats. */
  identityOf(device: KnownDevice, payload: Buffer, delivery: Delivery): MessageIdentity | undefined;
  /** The time that this message was given if it was committed before, epoch milliseconds; not a promise when that can't be. */
  committed(identity: MessageIdentity, isRepeated: boolean): Promise<number | undefined> | undefined;
  /** The time that it was given if it still waits for its commit, as a device may well send it again meanwhile. */
  waiting(identity: MessageIdentity, isRepeated: boolean): number | undefined;
  /** The message waits with this time for its commit; the function given back ends that, later when its acknowledgement is lost. */
  wait(identity: MessageIdentity, ts: number): (isLost: boolean) => void;
  /** The device has ended its connection by a DISCONNECT, and has no other: what it sends next is new, unless it says that it repeats it. */
  leftInOrder(deviceId: number): void;
  /** Finds how the server ended before. */
  start(): Promise<void>;
  /** Notes, when all is committed, that the server ended in order, and which acknowledgements were lost. */
  stop(): Promise<void>;
}

const keyOf = ({ deviceId, slot, digest }: Omit<MessageIdentity, "visit">): string => `${deviceId}:${slot}:${digest}`;

const committedFinder = ({ pool }: Pick<World, "pool">) =>
  batched(async (asked: readonly MessageIdentity[]) => {
    const { rows } = await pool.query<{ ts: number | null }>(earlierArrivals, [
      integers(asked.map(({ deviceId }) => deviceId)),
      integers(asked.map(({ slot }) => slot)),
      bigints(asked.map(({ digest }) => digest)),
    ]);
    return rows.map(({ ts }) => ts ?? undefined);
  });

interface Waiting {
  identity: MessageIdentity;
  ts: number;
}

/** The messages whose acknowledgements were lost when the server ended in order; undefined when it was killed. */
const lostAtStop = async (pool: World["pool"]): Promise<ReadonlySet<string> | undefined> => {
  const { rows } = await pool.query<StopRow>(removeStopRows);
  const keys = rows.map((row) => keyOf({ deviceId: -row.device_id, slot: row.packet_id, digest: row.digest }));
  return rows.some((row) => row.device_id === 0) ? new Set(keys) : undefined;
};

const noteStop = async ({ pool, clock }: Pick<World, "pool" | "clock">, lost: readonly Waiting[]): Promise<void> => {
  // One of each slot, since the statement may touch a row once only.
  const rows = new Map(lost.map(({ identity, ts }) => [`${identity.deviceId}:${identity.slot}`, { ...identity, ts }]));
  const all = [{ deviceId: 0, slot: 0, digest: 0, ts: clock.now() }, ...rows.values()];
  await pool.query(insertStopRows, [
    integers(all.map(({ deviceId }) => -deviceId)),
    integers(all.map(({ slot }) => slot)),
    bigints(all.map(({ digest }) => digest)),
    bigints(all.map(({ ts }) => ts)),
  ]);
};

export const createArrivals = (world: Pick<World, "pool" | "clock">): Arrivals => {
  const { pool, clock } = world;
  const startedAt = clock.now();
  const waiting = new Map<string, Waiting>();
  /** How often devices have left in order. */
  const visits = new Map<number, number>();
  const visitOf = (deviceId: number): number => visits.get(deviceId) ?? 0;
  const find = committedFinder(world);
  /** Of a server that ended in order: the messages whose acknowledgements were lost. */
  let lost: ReadonlySet<string> | undefined;
  /** Each of those is sent again once. */
  const sentAgain = new Set<string>();
  const findUnacknowledged = async (identity: MessageIdentity): Promise<number | undefined> => {
    const ts = await find(identity);
    const key = keyOf(identity);
    if (ts === undefined || ts < startedAt - grace || ts >= startedAt || sentAgain.has(key)) return undefined;
    sentAgain.add(key);
    return ts;
  };
  return {
    identityOf: (device, payload, { packetId }) => {
      if (packetId === undefined) return undefined;
      const { deviceId } = device;
      return { deviceId, slot: packetId % arrivalSlots, digest: crc32(payload, packetId), visit: visitOf(deviceId) };
    },
    committed: (identity, isRepeated) => {
      if (isRepeated) return find(identity);
      if (clock.now() >= startedAt + grace) {
        sentAgain.clear();
        return undefined;
      }
      const mayBeLost = identity.visit === 0 && (lost?.has(keyOf(identity)) ?? true);
      return mayBeLost ? findUnacknowledged(identity) : undefined;
    },
    waiting: (identity, isRepeated) => {
      const known = waiting.get(keyOf(identity));
      return known && (isRepeated || known.identity.visit === identity.visit) ? known.ts : undefined;
    },
    wait: (identity, ts) => {
      const key = keyOf(identity);
      const known = waiting.get(key);
      const entry = known?.ts === ts ? known : { identity, ts };
      waiting.set(key, entry);
      const end = () => {
        if (waiting.get(key) === entry) waiting.delete(key);
      };
      return (isLost) => {
        if (isLost) setTimeout(end, grace).unref();
        else end();
      };
    },
    leftInOrder: (deviceId) => void visits.set(deviceId, visitOf(deviceId) + 1),
    start: async () => {
      lost = await lostAtStop(pool);
    },
    stop: async () => {
      const left = [...waiting.values()].filter(({ identity }) => identity.visit === visitOf(identity.deviceId));
      await noteStop(world, left);
    },
  };
};
