import { crc32 } from "node:zlib";
import { bigints, integers } from "../../platform/database/array-parameters.ts";
import { batched } from "../../platform/database/batched.ts";
import type { KnownDevice } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";

/** What the transport knows about a message beyond its payload. */
export interface Delivery {
  /** MQTT packet identifier of a QoS 1 or 2 message. */
  packetId?: number;
  /** The sender marks the message as a resend (DUP). */
  isRepeated?: boolean;
  /** Whether the sender has disconnected, so that it will not receive an acknowledgement. */
  isGone?: () => boolean;
}

/** Identifies a message, to find its first arrival time when it is resent. */
export interface MessageIdentity {
  deviceId: number;
  slot: number;
  digest: number;
  /** How many clean DISCONNECTs of its device preceded the message. */
  epoch: number;
}

/** Slots for arrival times per device. More messages than this are never in flight at once. */
const arrivalSlots = 1024;

const earlierArrivals = `
  SELECT arrivals.ts FROM unnest($1::int4[], $2::int4[], $3::int8[]) WITH ORDINALITY AS requested(device_id, packet_id, digest, place)
    LEFT JOIN arrivals USING (device_id, packet_id, digest) ORDER BY requested.place`;

/**
 * How long after the start a resend without the DUP flag is recognised, milliseconds: widespread clients do not set the flag, although MQTT demands
 * it [MQTT-3.3.1-1]. Limited to messages whose acknowledgement was lost, since packet identifiers restart with every connection.
 */
const grace = 60_000;

/**
 * A clean shutdown inserts one row with device 0, and for each message whose acknowledgement was lost one row under its negated device ID. The next
 * start deletes them. Without them the server was killed, and any acknowledgement of its last moments may be lost.
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

/** First arrival times of messages that carry no time of their own. */
export interface Arrivals {
  /** Undefined for a message that its transport never resends. */
  identityOf(device: KnownDevice, payload: Buffer, delivery: Delivery): MessageIdentity | undefined;
  /**
   * The first arrival time of this message if it was committed before, epoch milliseconds. Returns undefined, not a promise, when it cannot have
   * been.
   */
  committed(identity: MessageIdentity, isRepeated: boolean): Promise<number | undefined> | undefined;
  /** The first arrival time if the message is still in flight: a device may resend it before the commit. */
  waiting(identity: MessageIdentity, isRepeated: boolean): number | undefined;
  /**
   * Registers the message as in flight with this time. Call the returned function at its end; a lost acknowledgement keeps the entry for a grace
   * period.
   */
  wait(identity: MessageIdentity, ts: number): (isLost: boolean) => void;
  /** The device disconnected by DISCONNECT and has no other connection: its next messages are new unless marked as resent. */
  disconnectedCleanly(deviceId: number): void;
  /** Finds out how the server ended last time. */
  start(): Promise<void>;
  /** Records a clean shutdown and the lost acknowledgements. Call after the last commit. */
  stop(): Promise<void>;
}

const keyOf = ({ deviceId, slot, digest }: Omit<MessageIdentity, "epoch">): string => `${deviceId}:${slot}:${digest}`;

const committedFinder = ({ pool }: Pick<World, "pool">) =>
  batched(async (identities: readonly MessageIdentity[]) => {
    const { rows } = await pool.query<{ ts: number | null }>(earlierArrivals, [
      integers(identities.map(({ deviceId }) => deviceId)),
      integers(identities.map(({ slot }) => slot)),
      bigints(identities.map(({ digest }) => digest)),
    ]);
    return rows.map(({ ts }) => ts ?? undefined);
  });

interface Waiting {
  identity: MessageIdentity;
  ts: number;
}

/** The messages whose acknowledgements were lost at a clean shutdown; undefined when the server was killed. */
const lostAtStop = async (pool: World["pool"]): Promise<ReadonlySet<string> | undefined> => {
  const { rows } = await pool.query<StopRow>(removeStopRows);
  const keys = rows.map((row) => keyOf({ deviceId: -row.device_id, slot: row.packet_id, digest: row.digest }));
  return rows.some((row) => row.device_id === 0) ? new Set(keys) : undefined;
};

const recordStop = async ({ pool, clock }: Pick<World, "pool" | "clock">, lost: readonly Waiting[]): Promise<void> => {
  // One row per slot: an upsert may not touch a row twice.
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
  /** Number of clean DISCONNECTs by device. */
  const epochs = new Map<number, number>();
  const epochOf = (deviceId: number): number => epochs.get(deviceId) ?? 0;
  const find = committedFinder(world);
  /** Messages whose acknowledgements were lost at the last clean shutdown. */
  let lost: ReadonlySet<string> | undefined;
  /** Each of those is recognised as a resend once. */
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
      return { deviceId, slot: packetId % arrivalSlots, digest: crc32(payload, packetId), epoch: epochOf(deviceId) };
    },
    committed: (identity, isRepeated) => {
      if (isRepeated) return find(identity);
      if (clock.now() >= startedAt + grace) {
        sentAgain.clear();
        return undefined;
      }
      const mayBeLost = identity.epoch === 0 && (lost?.has(keyOf(identity)) ?? true);
      return mayBeLost ? findUnacknowledged(identity) : undefined;
    },
    waiting: (identity, isRepeated) => {
      const known = waiting.get(keyOf(identity));
      return known && (isRepeated || known.identity.epoch === identity.epoch) ? known.ts : undefined;
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
    disconnectedCleanly: (deviceId) => void epochs.set(deviceId, epochOf(deviceId) + 1),
    start: async () => {
      lost = await lostAtStop(pool);
    },
    stop: async () => {
      const left = [...waiting.values()].filter(({ identity }) => identity.epoch === epochOf(identity.deviceId));
      await recordStop(world, left);
    },
  };
};
