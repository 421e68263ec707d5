import type { Client } from "aedes";
import type { KnownDevice } from "../telemetry/known-device.ts";

/** Which MQTT clients are connected as which device. A device may be connected more than once. */
export interface Connections {
  add(client: Client, device: KnownDevice): void;
  remove(client: Client): void;
  deviceOf(client: Client): KnownDevice | undefined;
  clientsOf(deviceId: number): Iterable<Client>;
  /** Sends to the device's clients that subscribed to a filter which covers `topic`; gives how many that were. */
  send(deviceId: number, topic: string, payload: unknown): number;
  count(): number;
}

/** Whether a filter (with + and # levels) covers a topic. */
const covers = (filter: string, topic: string): boolean => {
  const filterLevels = filter.split("/");
  const topicLevels = topic.split("/");
  for (const [at, level] of filterLevels.entries()) {
    if (level === "#") return true;
    if (at >= topicLevels.length || (level !== "+" && level !== topicLevels[at])) return false;
  }
  return filterLevels.length === topicLevels.length;
};

/** Bytes that may wait for a device to read them: many times the settings of the largest. */
const unreadLimit = 1024 * 1024;

/** What a client has subscribed to. */
export const filtersOf = (client: Client): string[] =>
  Object.keys((client as Client & { subscriptions: Record<string, unknown> }).subscriptions);

export const createConnections = (): Connections => {
  const devices = new Map<Client, KnownDevice>();
  const clients = new Map<number, Set<Client>>();
  const clientsOf = (deviceId: number): Iterable<Client> => clients.get(deviceId) ?? [];
  return {
    add: (client, device) => {
      devices.set(client, device);
      const known = clients.get(device.deviceId);
      if (known) known.add(client);
      else clients.set(device.deviceId, new Set([client]));
    },
    remove: (client) => {
      const device = devices.get(client);
      devices.delete(client);
      if (!device) return;
      const left = clients.get(device.deviceId);
      left?.delete(client);
      if (left?.size === 0) clients.delete(device.deviceId);
    },
    deviceOf: (client) => devices.get(client),
    clientsOf,
    send: (deviceId, topic, payload) => {
      const bytes = payload instanceof Uint8Array ? Buffer.from(payload) : Buffer.from(JSON.stringify(payload));
      let sent = 0;
      for (const client of clientsOf(deviceId)) {
        if (client.closed) continue;
        if (client.conn.writableLength > unreadLimit) {
          client.conn.destroy(new Error("The device does not read what it is sent"));
          continue;
        }
        if (!filtersOf(client).some((filter) => covers(filter, topic))) continue;
        // The callback is called although its type says that it may be left out; a lost connection forgets the message, the next one is told anew.
        client.publish({ cmd: "publish", topic, payload: bytes, qos: 1, dup: false, retain: false }, () => {});
        sent += 1;
      }
      return sent;
    },
    count: () => devices.size,
  };
};
