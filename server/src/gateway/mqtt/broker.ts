import { createHash, randomUUID } from "node:crypto";
import { deviceLimits, RefusalReason, topics } from "@telltale/contract/device-api";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import mqttPacket from "mqtt-packet";
import type { Registration } from "../../modules/provisioning/index.ts";
import type { KnownDevice, Refusals, Registry, Writer } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { Arrivals } from "../core/arrivals/arrivals.ts";
import type { Intake } from "../core/intake.ts";
import { type ProvisioningGuests, provisioningUser } from "../core/provisioning.ts";
import { parseJson } from "../core/telemetry-payload.ts";
import { isOfAnotherDevice } from "../thingsboard-mqtt/device-topics.ts";
import { type Acknowledgements, createAcknowledgements } from "./acknowledgements.ts";
import { type Connections, filtersOf } from "./connections.ts";
import type { TopicFamily } from "./device-message.ts";
import { ConnackCode, ConnectionEnded, PacketTooLarge, Reason } from "./mqtt5/reasons.ts";
import { limitPackets } from "./packet-limit.ts";
import { type Publication, Published } from "./published.ts";
import { keepIdentifiersOnly } from "./received-identifiers.ts";
import { answerRepeated, withoutRepeated } from "./repeated-filters.ts";
import { longTopic } from "./topic-rules.ts";
import { unauthenticatedOf } from "./unauthenticated.ts";

/** mqtt-packet caches the encoded form of every length below this that it has written. */
const remembered = 16_384;

/** Bytes of a PUBLISH besides its payload: the topic length, and a topic of one character. */
const beside = 3;

const zeros = Buffer.alloc(remembered);

/** Minimal output for mqtt-packet, without a stream's buffers. */
type Sink = Pick<NodeJS.WritableStream, "write">;

/** Writes a PUBLISH of this length, not counting the fixed header. */
export const writeOfLength = (length: number, to: Sink): void => {
  const payload = zeros.subarray(0, length - beside);
  const packet = { cmd: "publish", topic: "-", payload, qos: 0, dup: false, retain: false } as const;
  mqttPacket.writeToStream(packet, to as NodeJS.WritableStream);
};

/**
 * Fills mqtt-packet's cache of lengths in one go. Each entry is 4 bytes of a pooled slab and keeps the slab alive: allocated together the entries
 * share a few slabs, allocated at random times each would retain one of 64 KB, a gigabyte in all.
 */
const rememberLengths = (): void => {
  for (let length = beside; length < remembered; length += 1) writeOfLength(length, { write: () => true });
};

/** Bounds mqtt-packet's memory: preloads the cache of lengths and disables the table of all 65,536 packet numbers. */
export const limitPacketMemory = (): void => {
  mqttPacket.writeToStream.cacheNumbers = false;
  rememberLengths();
};

/** A connection that has not sent a CONNECT after this time is closed, milliseconds. */
export const connectTimeout = 10_000;

/** Longest access token, characters. Longer ones are rejected without asking the database. */
const longestToken = 64;

/** Longest topic, characters: the topic of an answer repeats the end of its request's. */
const longestTopic = 1_024;

/** How long a closed connection stays known, milliseconds. */
const willDelay = 1_000;

export interface BrokerNeeds extends Pick<World, "log" | "peers"> {
  registry: Registry;
  intake: Intake;
  arrivals: Arrivals;
  refusals: Refusals;
  writer: Pick<Writer, "isSupplied">;
  connections: Connections;
  families: readonly TopicFamily[];
  guests: ProvisioningGuests;
  registration: Registration;
}

const refusal = (returnCode: number, message: string): AuthenticateError =>
  Object.assign(new Error(message), { returnCode }) as AuthenticateError;

/**
 * Prefixes the client identifier with a hash of the token: otherwise one device could end another's connection by using its identifier.
 * [MQTT-3.1.4-2]
 */
const ownClientId = (token: string, clientId: string): string =>
  `${createHash("sha256").update(token).digest("base64url").slice(0, 16)}:${clientId}`;

/** A client's identifier among all of the server's. Clients without a token share their user name, and those of one model their identifier, too: each stays one of its own. */
const clientIdOf = ({ username = "", clientId }: { username?: string | undefined; clientId: string }): string =>
  ownClientId(username, username === provisioningUser || clientId === "" ? randomUUID() : clientId);

/** Subject on which a node names a client that has connected to it, so that the others end their connection of that client. [MQTT-3.1.4-2] */
const takeoverSubject = "takeover";

const authentication = ({
  log,
  peers,
  registry,
  intake,
  arrivals,
  connections,
  guests,
}: BrokerNeeds): Aedes["authenticate"] => {
  const forget = (client: Client, device: KnownDevice): void => {
    connections.remove(client);
    if (!connections.has(device.deviceId)) intake.disconnected(device);
  };
  const authenticate = async (client: Client, token: string | undefined): Promise<boolean> => {
    const device = token && token.length <= longestToken ? await registry.find({ token }) : undefined;
    // The client disconnected during the look-up.
    if (client.closed || client.conn.destroyed) return false;
    if (!device) return token === provisioningUser && guests.admit(client);
    unauthenticatedOf(client.conn)?.signIn();
    if (!connections.has(device.deviceId)) arrivals.connected(device);
    connections.add(client, device);
    peers.publish(takeoverSubject, client.id);
    // Delayed because the client's will is published after its end and must still be attributed to the device.
    client.conn.once("close", () => setTimeout(() => forget(client, device), willDelay).unref());
    // Not awaited: a device may connect while the database is away, and then gets no acknowledgements.
    void intake.connected(device);
    return true;
  };
  return (client, token, _password, done) => {
    authenticate(client, token).then(
      (isKnown) =>
        isKnown ? done(null, true) : done(refusal(ConnackCode.badUserNameOrPassword, "Unknown access token"), false),
      (fault: unknown) => {
        log.error({ err: fault }, "Could not look up a connecting device; it is refused as 'server unavailable'");
        done(refusal(ConnackCode.serverUnavailable, "Server unavailable"), false);
      },
    );
  };
};

/** A client without a token may ask for one, once, and nothing else. Its message is acknowledged after the commit. */
const answerGuest = (
  { connections, guests, registration, log }: BrokerNeeds,
  client: Client,
  { topic, payload }: Publication[1],
  acknowledge: Publication[2],
): void => {
  const address = topic === topics.provision.request ? guests.begin(client) : undefined;
  if (address === undefined) {
    acknowledge(new ConnectionEnded(Reason.notAuthorized, "Not signed in with an access token"));
    return;
  }
  registration.answer(parseJson(Buffer.from(payload)), address).then(
    (answer) => {
      connections.sendTo(client, topics.provision.response, answer);
      acknowledge(null);
      guests.end(client);
    },
    (fault: unknown) => {
      log.error({ err: fault }, "Could not register a device; it is disconnected, so that it tries again");
      acknowledge(new ConnectionEnded(Reason.serverBusy, "Not registered; try again"));
    },
  );
};

interface PublicationNeeds extends BrokerNeeds {
  acknowledgements: Acknowledgements;
}

const takeMessage = (
  needs: PublicationNeeds,
  device: KnownDevice,
  client: Client,
  packet: Publication[1],
  acknowledge: Publication[2],
): void => {
  const { topic } = packet;
  const { families, log } = needs;
  const message = new Published({ device, client, packet, acknowledge }, needs);
  if (message.payload.length > deviceLimits.payload) {
    message.refuse(RefusalReason.tooLarge, topic.slice(0, 64));
    message.done("stored");
    return;
  }
  try {
    if (topic.length <= longestTopic && families.some(({ handle }) => handle(message))) return;
  } catch (fault) {
    // No message may crash the server; a resend would fail again.
    log.error(
      { err: fault, deviceId: device.deviceId },
      "Unexpected fault in a device's message; the message is counted as refused",
    );
    message.done("refused");
    return;
  }
  message.refuse(RefusalReason.unknownTopic, topic.slice(0, 64));
  if (!isOfAnotherDevice(topic)) {
    message.done("stored");
    return;
  }
  log.info(
    { deviceId: device.deviceId, topic: topic.slice(0, 200) },
    "A device published under another device's topic and was disconnected",
  );
  acknowledge(new ConnectionEnded(Reason.notAuthorized, "The topic is another device's"));
};

/**
 * Returns aedes' publish hook. aedes acknowledges when its callback is called, which is after the commit. A message that must be resent ends the
 * connection.
 */
const publication = (brokerNeeds: BrokerNeeds): Aedes["authorizePublish"] => {
  const { connections, guests } = brokerNeeds;
  const needs = { ...brokerNeeds, acknowledgements: createAcknowledgements() };
  return (client, packet, acknowledge) => {
    if (!client) return acknowledge(null);
    // Wills published by a shutdown, or by the drain before it, are ignored: the server went away, not the devices.
    if ((client as Client & { broker: Aedes }).broker.closed || connections.isHandedOver(client))
      return acknowledge(new Error("The server is stopping"));
    if (guests.isGuest(client)) return answerGuest(needs, client, packet, acknowledge);
    const device = connections.deviceOf(client);
    if (device) takeMessage(needs, device, client, packet, acknowledge);
    else acknowledge(new ConnectionEnded(Reason.notAuthorized, "Not signed in"));
  };
};

/** Most subscriptions of one connection; more than a device and its sub-devices need. */
const subscriptionLimit = 100;

const hasRoom = (client: Client): boolean => filtersOf(client).length < subscriptionLimit;

/** Longest topic filter, characters: Sparkplug's are the longest, with the names of a group, a node and a device. */
const longestFilter = 256;

const isAllowed = ({ guests, families }: BrokerNeeds, client: Client, filter: string): boolean => {
  if (filter.length > longestFilter) return false;
  if (guests.isGuest(client)) return filter === topics.provision.response;
  return families.some(({ maySubscribe }) => maySubscribe(filter)) && hasRoom(client);
};

/** Creates the MQTT broker. A device is authenticated by its access token; its messages go to the handlers, never to other clients. */
export const createBroker = async (needs: BrokerNeeds): Promise<Aedes> => {
  const { connections, families, refusals, log, peers, writer } = needs;
  limitPacketMemory();
  const broker = await Aedes.createBroker({
    connectTimeout,
    queueLimit: 1000,
    // Announced to MQTT 5 clients as the receive maximum, to others in the answer to a session limits request.
    maxInflightInbound: deviceLimits.inFlight,
    maxTopicLevels: 16,
    // MQTT 3.1 allows 23 characters, which `ownClientId` always exceeds; clients of that age take longer ones themselves.
    maxClientsIdLength: 65_535,
    preConnect: (_client, packet, done) => {
      // No persistent sessions: a device asks again for what it missed, and sessions that outlive connections would fill the memory.
      packet.clean = true;
      packet.clientId = clientIdOf(packet);
      done(null, true);
    },
    authenticate: authentication(needs),
    authorizePublish: publication(needs),
    authorizeSubscribe: (client, subscription, done) =>
      done(null, client && isAllowed(needs, client, subscription.topic) ? subscription : null),
  });
  limitPackets(broker, { prepare: withoutRepeated, isSupplied: writer.isSupplied });
  keepIdentifiersOnly(broker);
  const publish = broker.publish.bind(broker) as (packet: unknown, client: unknown, done?: unknown) => void;
  // Skips routing: handlers have processed the message, no client subscribes to it, and routing would cost more than storing it.
  (broker as { publish: unknown }).publish = (packet: unknown, client: unknown, done: unknown) => {
    if (client && typeof client === "object" && typeof done === "function") done(null);
    else publish(packet, client, done);
  };
  const endTakeovers = peers.listen(takeoverSubject, (clientId) => {
    const clients = (broker as Aedes & { clients: Record<string, Client | undefined> }).clients;
    clients[clientId as string]?.close();
  });
  broker.once("closed", endTakeovers);
  broker.on("subscribe", (subscriptions, client) => {
    answerRepeated(subscriptions, client);
    const device = connections.deviceOf(client);
    const filters = subscriptions.map((subscription) => longTopic(subscription.topic));
    if (device) for (const family of families) family.onSubscribed?.(device, filters);
  });
  broker.on("clientError", (client, fault) => {
    const deviceId = connections.deviceOf(client)?.deviceId;
    if (fault instanceof PacketTooLarge) refusals.count(deviceId ?? null, RefusalReason.tooLarge, "", "");
    log.debug({ err: fault, deviceId }, "A device's connection failed");
  });
  return broker;
};
