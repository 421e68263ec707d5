import { type Telemetry, topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import type { RunningServer } from "./server-process.ts";
import { connectUnit, type Unit } from "./unit.ts";

/** Messages on their way at once: enough that a kill always finds some unacknowledged. */
const inFlight = 25;

/** A device that keeps publishing with QoS 1 and remembers which messages it was told are stored. */
export interface Publisher {
  /** Numbers of the messages that the server has acknowledged. */
  acknowledged: ReadonlySet<number>;
  /** Resolves in the very moment in which that many are acknowledged. */
  until(count: number): Promise<void>;
  /** Messages begun. */
  sent(): number;
  /** Publishes no more; resolves when all that was sent is acknowledged. */
  finish(): Promise<void>;
}

/**
 * Starts publishing `message(0)`, `message(1)`, … in their order. While the server is away the device connects again and
 * again, and sends again what was not acknowledged, as MQTT demands of it.
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
  client.on("error", () => undefined); // refused while the server is away; it tries again by itself

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
