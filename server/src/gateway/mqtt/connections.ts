import type { Client } from "aedes";
import type { KnownDevice } from "../../telemetry/index.ts";
import { ConnectionEnded, Reason } from "./mqtt5/reasons.ts";
import { shortTopic } from "./topic-rules.ts";

/** Connections of one device: itself, the processes of whoever tries the API with one token, and what a bad line has left half open. */
export const connectionLimit = 250;

/** Which MQTT clients are connected as which device. A device may be connected more than once. */
export interface Connections {
  /** Ends the device's oldest connection when it has too many. */
  add(client: Client, device: KnownDevice): void;
  remove(client: Client): void;
  deviceOf(client: Client): KnownDevice | undefined;
  clientsOf(deviceId: number): Iterable<Client>;
  /** Sends to the device's clients that subscribed to a filter which covers `topic` or its short form; gives how many that were. */
  send(deviceId: number, topic: string, payload: unknown): number;
  /** Sends to one client, whatever it has subscribed to. */
  sendTo(client: Client, topic: string, payload: unknown): void;
  /** Whether the device has a connection. */
  has(deviceId: number): boolean;
  all(): Iterable<Client>;
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

const bytesOf = (payload: unknown): Buffer =>
  payload instanceof Uint8Array ? Buffer.from(payload) : Buffer.from(JSON.stringify(payload));

/** Whether it was sent: nothing is sent to a client that does not read what it got. */
const publish = (client: Client, topic: string, payload: Buffer): boolean => {
  if (client.closed) return false;
  if (client.conn.writableLength > unreadLimit) {
    client.conn.destroy(new ConnectionEnded(Reason.quotaExceeded, "The device does not read what it is sent"));
    return false;
  }
  // The callback is called although its type says that it may be left out; a lost connection forgets the message, the next one is told anew.
  client.publish({ cmd: "publish", topic, payload, qos: 1, dup: false, retain: false }, () => {});
  return true;
};

/** Ends the oldest of a device's connections if another one would be too many. */
const makeRoom = (known: ReadonlySet<Client>, next: Client): void => {
  // One with the same identifier is taken over by the next. [MQTT-3.1.4-2]
  const others = [...known].filter((client) => !client.closed && client.id !== next.id);
  if (others.length >= connectionLimit)
    others[0]?.conn.destroy(new ConnectionEnded(Reason.quotaExceeded, "The device has too many connections"));
};

/** The form of a topic that a client listens for. */
const listenedFor = (client: Client, topic: string): string | undefined => {
  const filters = filtersOf(client);
  return [topic, shortTopic(topic)].find(
    (form) => form !== undefined && filters.some((filter) => covers(filter, form)),
  );
};

export const createConnections = (): Connections => {
  const devices = new Map<Client, KnownDevice>();
  const clients = new Map<number, Set<Client>>();
  const clientsOf = (deviceId: number): Iterable<Client> => clients.get(deviceId) ?? [];
  return {
    add: (client, device) => {
      devices.set(client, device);
      const known = clients.get(device.deviceId);
      if (known) {
        makeRoom(known, client);
        known.add(client);
      } else clients.set(device.deviceId, new Set([client]));
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
      const bytes = bytesOf(payload);
      let sent = 0;
      for (const client of clientsOf(deviceId)) {
        const form = listenedFor(client, topic);
        if (form !== undefined && publish(client, form, bytes)) sent += 1;
      }
      return sent;
    },
    sendTo: (client, topic, payload) => void publish(client, topic, bytesOf(payload)),
    has: (deviceId) => [...clientsOf(deviceId)].some((client) => !client.closed),
    all: () => devices.keys(),
    count: () => devices.size,
  };
};
