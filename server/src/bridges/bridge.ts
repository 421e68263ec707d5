import { setTimeout as sleep } from "node:timers/promises";
import { BridgeFormat } from "@telltale/contract/domains/readings/bridges";
import { newestReadings } from "../readings/index.ts";
import type { World } from "../world.ts";
import { type Broker, type BrokerAddress, BrokerFault, connectBroker } from "./broker.ts";
import type { Format } from "./formats/format.ts";
import { jsonFormat } from "./formats/json.ts";
import { sparkplugFormat } from "./formats/sparkplug.ts";
import { createPublisher } from "./publisher.ts";
import { compactQueue } from "./queue/compact.ts";
import { type Bridge, recordConnected, recordFault } from "./state.ts";

/** What bridges need of the server. */
export interface BridgeNeeds extends Pick<World, "db" | "pool" | "clock" | "log" | "publicUrl"> {
  /** Whether brokers may have addresses of private networks, and be reached without TLS. */
  isPrivateAllowed: boolean;
}

/** How long an empty queue is left alone, milliseconds. */
const pause = 500;
/** Shortest and longest wait before a lost connection is tried again, milliseconds; each is twice the one before. */
const [shortest, longest] = [1_000, 60_000];
/** Numbers of connections in Sparkplug begin again after so many. */
const bdSeqs = 256;

/** Where a bridge publishes, and as whom. */
export const addressOf = (
  bridge: Pick<Bridge, "url" | "user_name" | "password" | "client_id" | "ca">,
): BrokerAddress => ({
  url: bridge.url,
  userName: bridge.user_name,
  password: bridge.password,
  clientId: bridge.client_id,
  ca: bridge.ca,
});

const formatOf = async ({ db, pool, clock, publicUrl }: BridgeNeeds, bridge: Bridge): Promise<Format> => {
  if (bridge.format === BridgeFormat.json) return jsonFormat(bridge.prefix, publicUrl);
  const { births } = await db
    .updateTable("bridges")
    .set((eb) => ({ births: eb("births", "+", 1) }))
    .where("bridge_id", "=", bridge.bridge_id)
    .returning("births")
    .executeTakeFirstOrThrow();
  return sparkplugFormat({
    ...{ group: bridge.prefix, edge: bridge.client_id, bdSeq: (births - 1) % bdSeqs, publicUrl, now: clock.now },
    ...{ sendsValues: bridge.sends_values, sendsAlerts: bridge.sends_alerts },
    newestOf: (channelIds) => newestReadings(pool, channelIds),
  });
};

/** Says goodbye and disconnects. */
const leave = async (broker: Broker, { farewell }: Format): Promise<void> => {
  if (farewell) await broker.publish([farewell]).catch(() => undefined);
  await broker.end();
};

interface Attempt {
  bridge: Bridge;
  signal: AbortSignal;
  onConnected: () => void;
}

/** Connects and publishes what is queued until `signal` aborts. Throws when the connection fails or is lost. */
const publishQueued = async (needs: BridgeNeeds, { bridge, signal, onConnected }: Attempt): Promise<void> => {
  const format = await formatOf(needs, bridge);
  let onCommand = (_payload: Buffer): void => undefined;
  const commands = format.commandTopic
    ? { topic: format.commandTopic, onCommand: (payload: Buffer) => onCommand(payload) }
    : undefined;
  const { isPrivateAllowed } = needs;
  const broker = await connectBroker(addressOf(bridge), { isPrivateAllowed, will: format.farewell, commands, signal });
  try {
    const publisher = createPublisher({ ...needs, bridgeId: bridge.bridge_id, broker, format });
    onCommand = publisher.onCommand;
    let mayHaveMore = await publisher.publishOldest();
    // Not sooner: a broker may admit a client, and end the connection of one that publishes.
    onConnected();
    await recordConnected(needs, bridge);
    const over = AbortSignal.any([signal, broker.lost]);
    while (!signal.aborted) {
      if (!mayHaveMore) await sleep(pause, undefined, { signal: over }).catch(() => undefined);
      broker.lost.throwIfAborted();
      mayHaveMore = await publisher.publishOldest();
    }
  } finally {
    await leave(broker, format);
  }
};

/** Runs a bridge until the function that is returned is called; it resolves once the broker is left. */
export const runBridge = (needs: BridgeNeeds, bridgeId: number): (() => Promise<void>) => {
  const { db, pool, log } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const load = () => db.selectFrom("bridges").selectAll().where("bridge_id", "=", bridgeId).executeTakeFirst();
  let wait = shortest;
  let compacted = 0;
  const onConnected = (): void => {
    wait = shortest;
  };
  const attempt = async (): Promise<void> => {
    const bridge = await load();
    if (!bridge) return;
    try {
      await publishQueued(needs, { bridge, signal, onConnected });
    } catch (fault) {
      if (signal.aborted) return;
      if (!(fault instanceof BrokerFault)) throw fault;
      await recordFault(needs, (await load()) ?? bridge, fault);
      compacted = await compactQueue(pool, bridgeId, compacted);
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await attempt().catch((fault: unknown) =>
        log.warn({ err: fault, bridgeId }, "A bridge could not read its queue; it tries again"),
      );
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      wait = Math.min(wait * 2, longest);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
};
