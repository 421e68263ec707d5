import { refusalsCounted } from "@telltale/contract/device-api";
import type { MqttClient, Packet } from "mqtt";
import mqtt from "mqtt";

/** The acknowledged counts of a message's values; undefined where the server does not count them, as with MQTT 3.1.1. */
export interface Receipt {
  stored: number | undefined;
  refused: number | undefined;
  /** The message was refused as a whole; otherwise uncounted values were accepted. */
  isRefused: boolean;
  /** Why values were refused, in the server's words. */
  reason: string | undefined;
}

/** A device's connection to the server, which reconnects by itself and resends unacknowledged messages. */
export interface Link {
  isConnected: () => boolean;
  /** Publishes with QoS 1; settles with the acknowledgement, across any number of reconnects. Rejects when the link is ended. */
  publish: (topic: string, payload: string) => Promise<Receipt>;
  /** Drops the connection, as a restarting device does; it reconnects. */
  drop: () => void;
  end: () => Promise<void>;
}

export interface LinkNeeds {
  url: string;
  /** The access token; the MQTT user name of the device API. */
  token: string;
  /** Topics that the device subscribes to. */
  subscriptions: readonly string[];
  onConnect: () => void;
  onMessage: (topic: string, payload: Buffer) => void;
  /** Reports an obstacle to connecting once, until it has been connected again. */
  onTrouble: (reason: string) => void;
  /** With MQTT 5 the server reports what was refused; default is 3.1.1. */
  protocolVersion?: 5;
}

/** Initial and maximum reconnect delay, milliseconds. */
const backoff = { first: 4000, last: 60_000 } as const;

/** Exponential backoff with jitter, so that devices do not reconnect simultaneously. */
const nextDelay = (delay: number): number => Math.min(backoff.last, delay * 2) * (0.9 + 0.2 * Math.random());

/** Follows a client's connection: backs off while attempts fail, and reports each problem once. */
const watch = (client: MqttClient, { subscriptions, onConnect, onTrouble }: LinkNeeds): void => {
  let hasComplained = false;
  const reportProblem = (reason: string): void => {
    if (!hasComplained && !client.disconnecting) onTrouble(reason);
    hasComplained = true;
  };
  client.on("connect", () => {
    hasComplained = false;
    client.options.reconnectPeriod = backoff.first;
    if (subscriptions.length > 0)
      client.subscribe([...subscriptions], { qos: 1 }, (error) => {
        if (error) reportProblem(`It may not listen: ${error.message}`);
      });
    onConnect();
  });
  client.on("error", (error) => reportProblem(error.message || String(Reflect.get(error, "code") ?? error.name)));
  client.on("close", () => reportProblem("The connection was closed"));
  client.on("reconnect", () => {
    client.options.reconnectPeriod = nextDelay(client.options.reconnectPeriod ?? backoff.first);
  });
};

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

const receiptOf = (packet: Packet | undefined, isRefused: boolean, isCounted: boolean): Receipt => {
  const properties = packet?.cmd === "puback" ? packet.properties : undefined;
  const { stored, refused } = properties?.userProperties ?? {};
  const none = isCounted && !isRefused ? 0 : undefined;
  return { stored: numberIn(stored), refused: numberIn(refused) ?? none, isRefused, reason: properties?.reasonString };
};

/** Reason codes from here on mean that the server refused the message; it must not be resent. [MQTT5 2.4] */
const firstFailure = 0x80;

const isRefusal = (error: Error): boolean => Number(Reflect.get(error, "code")) >= firstFailure;

/** Publishes and keeps the acknowledgement's properties: the client itself only exposes those of a refused message. */
const createPublish = (client: MqttClient): Link["publish"] => {
  const sentPackets = new Map<number, Packet>();
  let isCounted = false;
  client.on("connect", ({ properties }) => {
    isCounted = properties?.userProperties?.refusals === refusalsCounted.refusals;
  });
  client.on("packetreceive", (packet) => {
    if (packet.cmd === "puback" && packet.messageId !== undefined && packet.properties)
      sentPackets.set(packet.messageId, packet);
  });
  return (topic, payload) =>
    new Promise((resolve, reject) => {
      client.publish(topic, payload, { qos: 1 }, (error, packet) => {
        const acknowledgement = sentPackets.get(packet?.messageId ?? -1);
        sentPackets.delete(packet?.messageId ?? -1);
        if (!error) resolve(receiptOf(acknowledgement, false, isCounted));
        else if (isRefusal(error)) resolve(receiptOf(acknowledgement, true, isCounted));
        else reject(error);
      });
    });
};

/** Connects a device. */
export const createLink = (needs: LinkNeeds): Link => {
  const client = mqtt.connect(needs.url, {
    username: needs.token,
    clientId: `simulator-${Math.random().toString(36).slice(2, 12)}`,
    reconnectPeriod: backoff.first,
    // A token that is refused now may be registered later.
    reconnectOnConnackError: true,
    connectTimeout: 10_000,
    keepalive: 30,
    ...(needs.protocolVersion ? { protocolVersion: needs.protocolVersion } : {}),
  });
  watch(client, needs);
  client.on("message", (topic, payload) => needs.onMessage(topic, payload));
  return {
    isConnected: () => client.connected,
    publish: createPublish(client),
    drop: () => {
      client.stream.destroy();
    },
    end: () => client.endAsync(true),
  };
};
