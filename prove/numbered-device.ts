import { setTimeout as sleep } from "node:timers/promises";
import { httpPath, type Telemetry, topics } from "@telltale/contract/device-api";
import { connectAsync, Store } from "mqtt";
import type { Unit } from "../e2e/unit.ts";

/** A device that numbers its messages and sends each until it is told that it is stored. */
export interface NumberedDevice {
  /** Messages begun. */
  sent(): number;
  /** Messages that the server has acknowledged: by PUBACK, or by 200. */
  acknowledged(): number;
  /** Begins no more; resolves when everything that was sent is acknowledged. */
  finish(): Promise<void>;
}

/** What message `n` says. */
export type Say = (n: number) => Telemetry;

interface Address {
  baseURL: string;
  mqttPort: number;
}

/** Milliseconds that a device waits for an answer, and before it sends the same again. */
const [patience, pause] = [8_000, 100];

/** What is sent again says so, as MQTT demands [MQTT-3.3.1-1] and MQTT.js does not do. */
const repeatingStore = (): Store => {
  const store = new Store();
  const put = store.put.bind(store);
  store.put = (packet, done) => put({ ...packet, dup: true } as typeof packet, done);
  return store;
};

/** Publishes with QoS 1 as fast as it is acknowledged, with so many messages on their way at once. */
export const startMqttDevice = async (
  server: Address,
  unit: Unit,
  say: Say,
  inFlight = 100,
): Promise<NumberedDevice> => {
  const client = await connectAsync(`mqtt://127.0.0.1:${server.mqttPort}`, {
    username: unit.accessToken,
    clientId: unit.name,
    clean: false,
    reconnectPeriod: 200,
    outgoingStore: repeatingStore(),
  });
  client.on("error", () => undefined); // refused while the server is away; it tries again by itself
  const { promise: allAcknowledged, resolve } = Promise.withResolvers<void>();
  let [sent, acknowledged] = [0, 0];
  let isWanted = true;
  const publish = (n: number): void => {
    client.publish(topics.telemetry, JSON.stringify(say(n)), { qos: 1 }, (fault) => {
      // Turned back while it waited for a connection: never at once, since MQTT.js is still turning back others.
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

const isStored = async (url: string, message: Telemetry): Promise<boolean> => {
  const answer = await fetch(url, {
    method: "POST",
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(patience),
  }).catch(() => undefined);
  await answer?.body?.cancel().catch(() => undefined);
  return answer?.status === 200;
};

/** Posts one message after the other, some at the same time; `every` says how many milliseconds it rests after each. */
export const startHttpDevice = (
  server: Address,
  unit: Unit,
  say: Say,
  { inFlight = 4, every = 0 } = {},
): NumberedDevice => {
  const url = server.baseURL + httpPath(unit.accessToken, "telemetry");
  let [sent, acknowledged] = [0, 0];
  let isWanted = true;
  const run = async (): Promise<void> => {
    while (isWanted) {
      const message = say(sent++);
      while (!(await isStored(url, message))) await sleep(pause);
      acknowledged += 1;
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
