import type { MqttClient } from "mqtt";
import mqtt from "mqtt";

/** A device's connection to the server, which comes back by itself and sends again what was not acknowledged. */
export interface Link {
  isConnected: () => boolean;
  /** Publishes with QoS 1; settles with the acknowledgement, be it after ten reconnects. Rejects when the link is ended. */
  publish: (topic: string, payload: string) => Promise<void>;
  /** Drops the connection, as a device does that restarts; it comes back. */
  drop: () => void;
  end: () => Promise<void>;
}

export interface LinkNeeds {
  url: string;
  /** The access token; the user name of the device API. */
  token: string;
  /** Topics that the device listens to. */
  subscriptions: readonly string[];
  onConnect: () => void;
  onMessage: (topic: string, payload: Buffer) => void;
  /** Says once what keeps it from connecting, until it has been connected again. */
  onTrouble: (reason: string) => void;
}

/** First delay before a new try and longest one, milliseconds. */
const backoff = { first: 4000, last: 60_000 } as const;

/** Twice as long after every failure, and not all devices at the same moment. */
const nextDelay = (delay: number): number => Math.min(backoff.last, delay * 2) * (0.9 + 0.2 * Math.random());

/** Follows a client's fate: slower tries while they fail, one complaint a trouble. */
const watch = (client: MqttClient, { subscriptions, onConnect, onTrouble }: LinkNeeds): void => {
  let hasComplained = false;
  const complain = (reason: string): void => {
    if (!hasComplained && !client.disconnecting) onTrouble(reason);
    hasComplained = true;
  };
  client.on("connect", () => {
    hasComplained = false;
    client.options.reconnectPeriod = backoff.first;
    if (subscriptions.length > 0)
      client.subscribe([...subscriptions], { qos: 1 }, (error) => {
        if (error) complain(`It may not listen: ${error.message}`);
      });
    onConnect();
  });
  client.on("error", (error) => complain(error.message || String(Reflect.get(error, "code") ?? error.name)));
  client.on("close", () => complain("The connection was closed"));
  client.on("reconnect", () => {
    client.options.reconnectPeriod = nextDelay(client.options.reconnectPeriod ?? backoff.first);
  });
};

/** Connects a device. */
export const createLink = (needs: LinkNeeds): Link => {
  const client = mqtt.connect(needs.url, {
    username: needs.token,
    clientId: `simulator-${Math.random().toString(36).slice(2, 12)}`,
    reconnectPeriod: backoff.first,
    // A token that is refused now may be known in a minute.
    reconnectOnConnackError: true,
    connectTimeout: 10_000,
    keepalive: 30,
  });
  watch(client, needs);
  client.on("message", (topic, payload) => needs.onMessage(topic, payload));
  return {
    isConnected: () => client.connected,
    publish: async (topic, payload) => {
      await client.publishAsync(topic, payload, { qos: 1 });
    },
    drop: () => {
      client.stream.destroy();
    },
    end: () => client.endAsync(true),
  };
};
