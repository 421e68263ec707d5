import { setTimeout as sleep } from "node:timers/promises";
import { httpPath, type Telemetry, topics } from "@telltale/contract/device-api";
import { connectAsync, Store } from "mqtt";
import type { Unit } from "../e2e/unit.ts";

/** A device that numbers its messages and resends each until it is acknowledged. */
export interface NumberedDevice {
  /** Messages started. */
  sent(): number;
  /** Messages that the server has acknowledged, by PUBACK or by 200. */
  acknowledged(): number;
  /** Starts no more messages; resolves when everything sent is acknowledged. */
  finish(): Promise<void>;
}

/** The content of message `n`. */
export type MessageOf = (n: number) => Telemetry;

interface Address {
  baseURL: string;
  mqttPort: number;
}

/** Timeout of an answer, and delay before a retry, milliseconds. */
const [patience, pause] = [8_000, 100];

/** Sets the DUP flag on redelivery, as MQTT requires [MQTT-3.3.1-1] and MQTT.js does not. */
export const repeatingStore = (): Store => {
  const store = new Store();
  const put = store.put.bind(store);
  store.put = (packet, done) => put({ ...packet, dup: true } as typeof packet, done);
  return store;
};

/** Publishes with QoS 1 as fast as it is acknowledged, with a limited number of messages in flight. */
export const startMqttDevice = async (
  server: Address,
  unit: Unit,
  messageOf: MessageOf,
  inFlight = 100,
): Promise<NumberedDevice> => {
  const client = await connectAsync(`mqtt://127.0.0.1:${server.mqttPort}`, {
    username: unit.accessToken,
    clientId: unit.name,
    clean: false,
    reconnectPeriod: 200,
    outgoingStore: repeatingStore(),
  });
  client.on("error", () => undefined); // refused while the server is down; the client retries by itself
  const { promise: allAcknowledged, resolve } = Promise.withResolvers<void>();
  let [sent, acknowledged] = [0, 0];
  let isWanted = true;
  const publish = (n: number): void => {
    client.publish(topics.telemetry, JSON.stringify(messageOf(n)), { qos: 1 }, (fault) => {
      // Rejected while waiting for a connection: retried later, because MQTT.js is still rejecting others.
      if (fault) setTimeout(publish, pause, n);
      else onAcknowledged();
    });
  };
  const onAcknowledged = (): void => {
    acknowledged += 1;
    if (isWanted) publish(sent++);
    else if (acknowledged === sent) resolve();
  };
  while (sent < inFlight) publish(sent++);
  return {
    sent: () => sent,
    acknowledged: () => acknowledged,
    finish: async () => {
      isWanted = false;
      await allAcknowledged;
      await client.endAsync();
    },
  };
};

const isStored = async (url: string, message: Telemetry, timeout: number): Promise<boolean> => {
  const answer = await fetch(url, {
    method: "POST",
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(timeout),
  }).catch(() => undefined);
  await answer?.body?.cancel().catch(() => undefined);
  return answer?.status === 200;
};

/** Messages that a device posts at once. */
export const postedAtOnce = 4;

/**
 * Posts messages with limited concurrency; `every` is the delay after each, `timeout` that of an answer, in milliseconds. With several base URLs each
 * try goes to the next one. `comesFirst`: whether no later message is posted before this one is acknowledged. Of others that are posted at once and
 * posted again after a fault, a later one may be stored first: the earlier is then late, and is not evaluated.
 */
export const startHttpDevice = (
  baseURLs: readonly string[],
  unit: Pick<Unit, "accessToken">,
  messageOf: MessageOf,
  { inFlight = postedAtOnce, every = 0, timeout = patience, comesFirst = (_n: number): boolean => false } = {},
): NumberedDevice => {
  const path = httpPath(unit.accessToken, "telemetry");
  let tries = 0;
  const nextUrl = (): string => `${baseURLs[tries++ % baseURLs.length]}${path}`;
  let [sent, acknowledged] = [0, 0];
  let isWanted = true;
  let awaited: Promise<void> | undefined;
  const deliver = async (n: number): Promise<void> => {
    const message = messageOf(n);
    while (!(await isStored(nextUrl(), message, timeout))) await sleep(pause);
    acknowledged += 1;
    if (comesFirst(n)) awaited = undefined;
  };
  const run = async (): Promise<void> => {
    while (isWanted) {
      if (awaited) {
        await awaited;
        continue;
      }
      const n = sent++;
      const delivered = deliver(n);
      if (comesFirst(n)) awaited = delivered;
      await delivered;
      await sleep(every);
    }
  };
  const runs = Array.from({ length: inFlight }, run);
  return {
    sent: () => sent,
    acknowledged: () => acknowledged,
    finish: async () => {
      isWanted = false;
      await Promise.all(runs);
    },
  };
};
