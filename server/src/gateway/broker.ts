import { createHash, randomUUID } from "node:crypto";
import { deviceLimits, RefusalReason, topics } from "@telltale/contract/device-api";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { Refusals } from "../telemetry/refusals.ts";
import type { Registry } from "../telemetry/registry.ts";
import type { World } from "../world.ts";
import { type Connections, filtersOf } from "./connections.ts";
import type { TopicHandler } from "./device-message.ts";
import { refuseTopic } from "./device-topics.ts";
import type { Intake } from "./intake.ts";
import { limitPackets, PacketTooLarge } from "./packet-limit.ts";
import { limitPacketMemory } from "./packet-memory.ts";
import { maySubscribe } from "./topic-rules.ts";

/** A connection that has not said who it is after this time is closed, milliseconds. */
export const connectTimeout = 10_000;

/** How long after its end a connection is still known, milliseconds. */
const willDelay = 1_000;

/** MQTT CONNACK return codes. [MQTT-3.2.2-4] */
const ConnackCode = { serverUnavailable: 3, badUserNameOrPassword: 4 } as const;

interface Needs extends Pick<World, "log"> {
  registry: Registry;
  intake: Intake;
  refusals: Refusals;
  connections: Connections;
  handlers: readonly TopicHandler[];
  /** A client has subscribed to its attributes; it is told its settings. */
  onSubscribed: (device: KnownDevice, filters: readonly string[]) => void;
}

const refusal = (returnCode: number, message: string): AuthenticateError =>
  Object.assign(new Error(message), { returnCode }) as AuthenticateError;

/** The client identifier is made the device's own, or one device could end another's connection by taking its identifier. [MQTT-3.1.4-2] */
const ownClientId = (token: string, clientId: string): string =>
  `${createHash("sha256").update(token).digest("base64url").slice(0, 16)}:${clientId}`;

const authentication = ({ log, registry, intake, connections }: Needs): Aedes["authenticate"] => {
  const authenticate = async (client: Client, token: string | undefined): Promise<boolean> => {
    const device = token ? await registry.find({ token }) : undefined;
    // Whoever has gone meanwhile says so no more.
    if (!device || client.closed || client.conn.destroyed) return false;
    connections.add(client, device);
    // A little later, because the client's will is published after its end and must still be known as the device's.
    client.conn.once("close", () => setTimeout(() => connections.remove(client), willDelay).unref());
    // Not waited for: a device may connect while the database is away, and is then acknowledged nothing.
    void intake.heard(device);
    return true;
  };
  return (client, token, _password, done) => {
    authenticate(client, token).then(
      (isKnown) =>
        isKnown ? done(null, true) : done(refusal(ConnackCode.badUserNameOrPassword, "Unknown access token"), false),
      (fault: unknown) => {
        log.error({ err: fault }, "A device could not be looked up");
        done(refusal(ConnackCode.serverUnavailable, "Server unavailable"), false);
      },
    );
  };
};

/** A message is acknowledged when aedes' callback is called: after the commit. A message that must be sent again ends the connection. */
const publication = ({ connections, handlers, refusals, log }: Needs): Aedes["authorizePublish"] => {
  return (client, packet, acknowledge) => {
    if (!client) return acknowledge(null);
    // A stop ends the connections, and with them come their wills: but it is the server that went, not the devices.
    if ((client as Client & { broker: Aedes }).broker.closed) return acknowledge(new Error("The server is stopping"));
    const device = connections.deviceOf(client);
    if (!device) return acknowledge(new Error("Not signed in"));
    const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
    const delivery =
      packet.qos > 0 && packet.messageId !== undefined
        ? { packetId: packet.messageId, isRepeated: packet.dup, isGone: () => client.closed }
        : {};
    const done = (outcome: "stored" | "refused" | "stopped") => {
      if (outcome === "refused")
        refusals.count(
          device.deviceId,
          RefusalReason.badPayload,
          packet.topic.slice(0, 64),
          payload.subarray(0, 64).toString(),
        );
      acknowledge(outcome === "stopped" ? new Error("Not stored; send it again") : null);
    };
    if (payload.length > deviceLimits.payload) {
      refusals.count(device.deviceId, RefusalReason.tooLarge, packet.topic.slice(0, 64), "");
      return acknowledge(null);
    }
    try {
      if (handlers.some((handle) => handle({ device, topic: packet.topic, payload, delivery, done }))) return;
    } catch (fault) {
      // No message, whatever it holds, may end the server; sent again it would only fail again.
      log.error({ err: fault, deviceId: device.deviceId }, "A device's message could not be handled");
      return done("refused");
    }
    refuseTopic({ refusals }, { device, topic: packet.topic });
    log.info(
      { deviceId: device.deviceId, topic: packet.topic.slice(0, 200) },
      "A device published outside its topics and was disconnected",
    );
    acknowledge(new Error("Not a topic of this device"));
  };
};

/** Subscriptions of one connection: more than a device and its sub-devices have use for. */
const subscriptionLimit = 100;

const hasRoom = (client: Client | null): boolean => client !== null && filtersOf(client).length < subscriptionLimit;

/** The MQTT broker for devices: who connects is known by its access token; what it publishes goes to the handlers, never to other clients. */
export const createBroker = async (needs: Needs): Promise<Aedes> => {
  const { connections, onSubscribed, refusals, log } = needs;
  limitPacketMemory();
  const broker = await Aedes.createBroker({
    connectTimeout,
    queueLimit: 1000,
    maxTopicLevels: 16,
    preConnect: (_client, packet, done) => {
      // What a device missed it asks for anew; sessions that outlive their connection would only fill the memory.
      packet.clean = true;
      packet.clientId = ownClientId(packet.username ?? "", packet.clientId || randomUUID());
      done(null, true);
    },
    authenticate: authentication(needs),
    authorizePublish: publication(needs),
    authorizeSubscribe: (client, subscription, done) =>
      done(null, maySubscribe(subscription.topic) && hasRoom(client) ? subscription : null),
  });
  limitPackets(broker);
  const publish = broker.publish.bind(broker) as (packet: unknown, client: unknown, done?: unknown) => void;
  // Nobody subscribes to what devices publish: the handlers have dealt with it, and routing it would cost more than storing it.
  (broker as { publish: unknown }).publish = (packet: unknown, client: unknown, done: unknown) => {
    if (client && typeof client === "object" && typeof done === "function") done(null);
    else publish(packet, client, done);
  };
  broker.on("subscribe", (subscriptions, client) => {
    const device = connections.deviceOf(client);
    const filters = subscriptions.map((subscription) => subscription.topic);
    if (device) onSubscribed(device, filters);
  });
  broker.on("clientError", (client, fault) => {
    const deviceId = connections.deviceOf(client)?.deviceId;
    if (fault instanceof PacketTooLarge) refusals.count(deviceId ?? null, RefusalReason.tooLarge, "", "");
    log.debug({ err: fault, deviceId }, "A device's connection failed");
  });
  return broker;
};

/** The filters of a device that takes commands, for itself or for those behind it. */
export const wantsCommands = (filters: readonly string[]): boolean =>
  filters.some((filter) => filter.startsWith(topics.rpcRequest) || filter === topics.gateway.rpc);
