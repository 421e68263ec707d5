import { type Telemetry, topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import type { RunningServer } from "./server-process.ts";
import { connectUnit, type Unit } from "./unit.ts";

/** Messages in flight: enough that a kill always catches some unacknowledged. */
const inFlight = 25;

/** A device that keeps publishing with QoS 1 and records which messages were acknowledged. */
export interface Publisher {
  /** Numbers of the messages that the server has acknowledged. */
  acknowledged: ReadonlySet<number>;
  /** Resolves at the moment when this many are acknowledged. */
  until(count: number): Promise<void>;
  /** Messages started. */
  sent(): number;
  /** Stops publishing; resolves when everything sent is acknowledged. */
  finish(): Promise<void>;
}

/**
 * Publishes `message(0)`, `message(1)`, … in order. While the server is down the device reconnects repeatedly and resends unacknowledged messages,
 * as MQTT requires.
 */
export const startPublisher = async (
  server: RunningServer,
  unit: Unit,
  message: (n: number) => Telemetry,
): Promise<Publisher> => {
  const acknowledged = new Set<number>();
  const waiting = new Map<number, () => void>();
  let sent = 0;
  let isWanted = true;
  const client: MqttClient = await connectUnit(server, unit, {
    reconnectPeriod: 200,
    clean: false,
    clientId: unit.name,
  });
  client.on("error", () => undefined); // refused while the server is down; the client retries by itself

  const send = async (n: number) => {
    await client.publishAsync(topics.telemetry, JSON.stringify(message(n)), { qos: 1 });
    acknowledged.add(n);
    waiting.get(acknowledged.size)?.();
  };
  const run = async () => {
    while (isWanted) {
      const batch = Array.from({ length: inFlight }, () => send(sent++));
      await Promise.all(batch);
    }
    await client.endAsync();
  };
  const done = run();
  return {
    acknowledged,
    until: (count) =>
      acknowledged.size >= count ? Promise.resolve() : new Promise((resolve) => waiting.set(count, resolve)),
    sent: () => sent,
    finish: () => {
      isWanted = false;
      return done;
    },
  };
};
