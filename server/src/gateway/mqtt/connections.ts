import type { Client } from "aedes";
import type { KnownDevice } from "../../telemetry/index.ts";
import { ConnectionEnded, Reason } from "./mqtt5/reasons.ts";
import { shortTopic } from "./topic-rules.ts";

/** Most connections of one device: the device itself, test clients with the same token, and half-open ones that a bad line has left. */
export const connectionLimit = 250;

/** QoS of messages to devices. */
type DownQos = 0 | 1;

/** Maps MQTT clients to devices. A device may have several connections. */
export interface Connections {
  /** Adds a connection; closes the device's oldest one when it has too many. */
  add(client: Client, device: KnownDevice): void;
  remove(client: Client): void;
  /** Closes a connection that its device is to open again at another node. */
  handOver(client: Client): void;
  /** Whether a connection was closed by `handOver`: the will that is published then is no sign of its device. */
  isHandedOver(client: Client): boolean;
  deviceOf(client: Client): KnownDevice | undefined;
  clientsOf(deviceId: number): Iterable<Client>;
  /**
   * Sends to the device's clients with a subscription that matches `topic` or its short form, by the QoS granted to it but at most `qos` (default 1);
   * returns the number of clients.
   */
  send(deviceId: number, topic: string, payload: unknown, qos?: DownQos): number;
  /** Sends to one client, whatever it has subscribed to; by QoS 1 where it has not. */
  sendTo(client: Client, topic: string, payload: unknown): void;
  /** Whether the device has a connection. */
  has(deviceId: number): boolean;
  all(): Iterable<Client>;
  count(): number;
}

/** Whether a topic filter (with + and # levels) matches a topic. */
const covers = (filter: string, topic: string): boolean => {
  const filterLevels = filter.split("/");
  const topicLevels = topic.split("/");
  for (const [at, level] of filterLevels.entries()) {
    if (level === "#") return true;
    if (at >= topicLevels.length || (level !== "+" && level !== topicLevels[at])) return false;
  }
  return filterLevels.length === topicLevels.length;
};

/** Send buffer limit of one connection, bytes: many times the largest settings. */
const unreadLimit = 1024 * 1024;

/** A client's subscriptions by their filters, with the QoS granted; aedes keeps them in an untyped field. */
const subscriptionsOf = (client: Client): [string, { qos: number }][] =>
  Object.entries((client as Client & { subscriptions: Record<string, { qos: number }> }).subscriptions);

/** The topic filters that a client is subscribed to. */
export const filtersOf = (client: Client): string[] => subscriptionsOf(client).map(([filter]) => filter);

const bytesOf = (payload: unknown): Buffer =>
  payload instanceof Uint8Array ? Buffer.from(payload) : Buffer.from(JSON.stringify(payload));

/** Publishes to a client; returns false when it is closed, or is disconnected because it does not read. */
const publish = (client: Client, topic: string, payload: Buffer, qos: DownQos): boolean => {
  if (client.closed) return false;
  if (client.conn.writableLength > unreadLimit) {
    client.conn.destroy(new ConnectionEnded(Reason.quotaExceeded, "The device does not read what it is sent"));
    return false;
  }
  // aedes calls the callback although its type marks it optional. A message lost with its connection is dropped: state is sent anew on the next one.
  client.publish({ cmd: "publish", topic, payload, qos, dup: false, retain: false }, () => {});
  return true;
};

/** Closes the device's oldest connection if it is at the limit. */
const closeOldestIfFull = (known: ReadonlySet<Client>, next: Client): void => {
  // A client with the same identifier is taken over anyway. [MQTT-3.1.4-2]
  const others = [...known].filter((client) => !client.closed && client.id !== next.id);
  if (others.length >= connectionLimit)
    others[0]?.conn.destroy(new ConnectionEnded(Reason.quotaExceeded, "The device has too many connections"));
};

/**
 * The QoS by which a client gets a topic: the highest of its subscriptions that match, since it may not be sent more than it was granted
 * [MQTT-3.8.4-6]. aedes lowers the QoS only where a filter is the topic itself. Undefined when none matches.
 */
const grantedQos = (client: Client, topic: string): DownQos | undefined => {
  const granted = subscriptionsOf(client).flatMap(([filter, { qos }]) => (covers(filter, topic) ? [qos] : []));
  if (granted.length === 0) return undefined;
  return granted.some((qos) => qos > 0) ? 1 : 0;
};

/** The form of the topic, long or short, that the client is subscribed to, and by which QoS; undefined when neither. */
const listenedFor = (client: Client, topic: string): { form: string; granted: DownQos } | undefined => {
  for (const form of [topic, shortTopic(topic)]) {
    const granted = form === undefined ? undefined : grantedQos(client, form);
    if (form !== undefined && granted !== undefined) return { form, granted };
  }
  return undefined;
};

export const createConnections = (): Connections => {
  const devices = new Map<Client, KnownDevice>();
  const clients = new Map<number, Set<Client>>();
  const handedOver = new WeakSet<Client>();
  const clientsOf = (deviceId: number): Iterable<Client> => clients.get(deviceId) ?? [];
  return {
    add: (client, device) => {
      devices.set(client, device);
      const known = clients.get(device.deviceId);
      if (known) {
        closeOldestIfFull(known, client);
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
    handOver: (client) => {
      handedOver.add(client);
      client.close();
    },
    isHandedOver: (client) => handedOver.has(client),
    deviceOf: (client) => devices.get(client),
    clientsOf,
    send: (deviceId, topic, payload, qos = 1) => {
      const bytes = bytesOf(payload);
      let sent = 0;
      for (const client of clientsOf(deviceId)) {
        const listened = listenedFor(client, topic);
        if (listened && publish(client, listened.form, bytes, listened.granted === 1 ? qos : 0)) sent += 1;
      }
      return sent;
    },
    sendTo: (client, topic, payload) => void publish(client, topic, bytesOf(payload), grantedQos(client, topic) ?? 1),
    has: (deviceId) => [...clientsOf(deviceId)].some((client) => !client.closed),
    all: () => devices.keys(),
    count: () => devices.size,
  };
};
