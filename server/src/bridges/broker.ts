import { isIP } from "node:net";
import type { IClientOptions, IConnackPacket, MqttClient } from "mqtt";
import { addressesOf, pinnedTo, refusalOfAddress } from "../notify/index.ts";
import { isOfMessage, isOfVersion } from "./faults.rules.ts";
import type { Message } from "./formats/format.ts";
import { createIncoming } from "./incoming.ts";

/** Where a bridge publishes, and as whom. */
export interface BrokerAddress {
  url: string;
  userName: string;
  password: string;
  clientId: string;
  /** Certificates of authorities in PEM; empty for the well-known ones. */
  ca: string;
}

interface Wanted {
  /** Without it only by TLS and to public addresses. */
  isPrivateAllowed: boolean;
  /** What the broker publishes when the connection is lost. */
  will?: Message | undefined;
  /** Subscribed to, and what comes there. */
  commands?: { topic: string; onCommand: (payload: Buffer) => void } | undefined;
  signal: AbortSignal;
}

/** An open connection to a broker. */
export interface Broker {
  /** Publishes in this order with QoS 1; resolves with how many readings and alerts the broker refuses for good. Rejects when the connection ends before all are acknowledged. */
  publish(messages: Iterable<Message>): Promise<number>;
  /** Aborts with a `BrokerFault` when the connection ends. */
  readonly lost: AbortSignal;
  /** Disconnects. */
  end(): Promise<void>;
}

/** The connection to a broker failed; the cause says how. */
export class BrokerFault extends Error {}

/** Longest wait for the connection, milliseconds, and longest silence of it, seconds. */
const [connectTimeout, keepalive] = [15_000, 30];

/** Most messages that await their acknowledgement, where the broker does not want fewer: HiveMQ takes 10, AWS IoT 100. */
const inFlight = 100;

/** How long acknowledgements are waited for when the bridge is to stop, and then the broker's end of the connection, milliseconds. */
const grace = 2_000;

/** Longest message over WebSockets, bytes: many packets may be in one. */
const longestFrame = 1024 * 1024;

/** Why a broker's address may not be connected to, as far as that is told without looking its name up; undefined when it may. */
export const refusalOfBroker = (url: string, isPrivateAllowed: boolean): string | undefined =>
  refusalOfAddress(new URL(url), ["mqtts:", "wss:"], isPrivateAllowed);

/** Options of a connection to the one address that was checked, so that a name that resolves differently a moment later leads nowhere else. */
const pinned = async ({ url }: BrokerAddress, isPrivateAllowed: boolean): Promise<IClientOptions> => {
  const refused = refusalOfBroker(url, isPrivateAllowed);
  if (refused !== undefined) throw new BrokerFault("The address is not allowed", { cause: new Error(refused) });
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const addresses = await addressesOf(hostname, isPrivateAllowed).catch((cause: unknown) => {
    throw new BrokerFault("The host was not found", { cause });
  });
  const host = hostname.replace(/^\[|\]$/g, "");
  const place = port === "" ? {} : { port: Number(port) };
  if (protocol === "mqtt:" || protocol === "mqtts:") {
    // A name may have an address of IPv6 where the network has none.
    const first = addresses.find(({ family }) => family === 4) ?? addresses[0];
    const name = isIP(host) === 0 ? { servername: host } : {};
    return { ...place, ...name, protocol: protocol === "mqtt:" ? "mqtt" : "mqtts", host: first?.address ?? host };
  }
  // Neither a long message nor one that unpacks to a long one is read: no packet is longer.
  const wsOptions = {
    ...{ lookup: pinnedTo(addresses), followRedirects: false },
    ...{ perMessageDeflate: false, maxPayload: longestFrame },
  };
  // The client makes an address of it again, in which one of IPv6 has brackets.
  return {
    ...place,
    protocol: protocol === "ws:" ? "ws" : "wss",
    host: hostname,
    path: `${pathname}${search}`,
    wsOptions,
  };
};

const endedAtOnce = "The address ended the connection before it answered by MQTT: check host, port and path";
const endedByBroker =
  "The broker has ended the connection: check that the user may publish under the prefix, and that no other client has this client ID; its log says why";

/** Aborts with a `BrokerFault` when the connection ends: by what happens first. */
const lossOf = (client: MqttClient): AbortSignal => {
  const lost = new AbortController();
  const fail = (cause: unknown) => lost.abort(new BrokerFault("The connection to the broker failed", { cause }));
  let isAdmitted = false;
  client.once("connect", () => {
    isAdmitted = true;
  });
  client.on("error", fail);
  // The client keeps some errors of the connection to itself, such as an HTTP status instead of a WebSocket.
  client.stream.on("error", fail);
  client.on("disconnect", ({ reasonCode = 0 }) =>
    fail(Object.assign(new Error("The broker has disconnected"), { code: reasonCode })),
  );
  client.on("close", () => fail(new Error(isAdmitted ? endedByBroker : endedAtOnce)));
  return lost.signal;
};

/** Ends the connection when the broker sends what a bridge has no use for. */
const guard = (client: MqttClient): void => {
  const { sent, wrongWith } = createIncoming(() => performance.now());
  client.on("packetsend", sent);
  const look = (piece: Buffer): void => {
    const wrong = wrongWith(piece);
    if (wrong === undefined) return;
    client.stream.off("data", look);
    client.stream.destroy(new Error(wrong));
  };
  client.stream.on("data", look);
};

/** Resolves as `begin` does, or rejects when the connection ends. Not a race of promises: each would stay until that, for as long as the connection lasts. */
const unlessLost = async <T>(lost: AbortSignal, begin: () => Promise<T>): Promise<T> => {
  lost.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const fail = () => reject(lost.reason);
  lost.addEventListener("abort", fail);
  begin().then(resolve, reject);
  try {
    return await promise;
  } finally {
    lost.removeEventListener("abort", fail);
  }
};

/** `atOnce`: messages that may await their acknowledgement. A broker ends the connection at one more. */
const publishing = (client: MqttClient, lost: AbortSignal, atOnce: number) => {
  const send = async ({ topic, payload, count }: Message): Promise<number> => {
    try {
      await client.publishAsync(topic, payload, { qos: 1 });
      return 0;
    } catch (fault) {
      if (isOfMessage(fault)) return count;
      throw new BrokerFault("The broker refused a message", { cause: fault });
    }
  };
  return (messages: Iterable<Message>): Promise<number> => {
    const left = messages[Symbol.iterator]();
    let isOver = false;
    // As many at once as may be in flight, each going on with the next message: they begin in order.
    const sendNext = async (): Promise<number> => {
      let refused = 0;
      try {
        for (let next = left.next(); !next.done && !isOver; next = left.next()) refused += await send(next.value);
        return refused;
      } catch (fault) {
        isOver = true;
        throw fault;
      }
    };
    return unlessLost(lost, async () => {
      const counts = await Promise.all(Array.from({ length: atOnce }, sendNext));
      return counts.reduce((sum, count) => sum + count, 0);
    });
  };
};

const subscribe = async (client: MqttClient, { topic, onCommand }: NonNullable<Wanted["commands"]>): Promise<void> => {
  client.on("message", (_topic, payload) => onCommand(payload));
  await client.subscribeAsync(topic, { qos: 1 }).catch(() => {
    const cause = new Error(`The broker does not allow this user to subscribe to ${topic}: allow it there`);
    throw new BrokerFault("The broker refused a subscription", { cause });
  });
};

/** Loaded at the first use: most servers have no bridge. */
const library = () => import("mqtt");

const open = async (address: BrokerAddress, wanted: Wanted, protocolVersion: 4 | 5): Promise<Broker> => {
  const { userName, password, clientId, ca } = address;
  const { will, commands, signal } = wanted;
  const reached = await pinned(address, wanted.isPrivateAllowed);
  if (signal.aborted) throw new BrokerFault("The bridge is to stop", { cause: signal.reason });
  const { connect } = await library();
  const client = connect({
    ...reached,
    ...(userName === "" ? {} : { username: userName, password }),
    ...(ca === "" ? {} : { ca }),
    ...(will ? { will: { topic: will.topic, payload: will.payload, qos: 1, retain: false } } : {}),
    ...{ clientId, protocolVersion, connectTimeout, keepalive, clean: true },
    // The queue in the database is what is sent again, from a connection that this file makes.
    ...{ reconnectPeriod: 0, resubscribe: false },
  });
  const lost = lossOf(client);
  guard(client);
  // `end` alone does nothing while the client disconnects, and that takes as long as the broker likes.
  const cut = () => client.end(true).stream.destroy();
  const abandon = () => void setTimeout(cut, client.connected ? grace : 0);
  signal.addEventListener("abort", abandon, { once: true });
  client.once("close", () => signal.removeEventListener("abort", abandon));
  let atOnce = inFlight;
  try {
    const admitted = () => new Promise<IConnackPacket>((resolve) => client.once("connect", resolve));
    const { properties } = await unlessLost(lost, admitted);
    atOnce = Math.min(inFlight, properties?.receiveMaximum ?? inFlight);
    if (commands) await unlessLost(lost, () => subscribe(client, commands));
  } catch (fault) {
    cut();
    throw fault;
  }
  const end = async (): Promise<void> => {
    const late = setTimeout(cut, grace);
    // Waits for acknowledgements, which do not come over a lost connection.
    await unlessLost(lost, () => client.endAsync()).catch(() => undefined);
    clearTimeout(late);
    cut();
  };
  return { publish: publishing(client, lost, atOnce), lost, end };
};

/** Connects to a broker by MQTT 5, or 3.1.1 where it speaks only that. Rejects with the first fault of the connection. */
export const connectBroker = async (address: BrokerAddress, wanted: Wanted): Promise<Broker> => {
  try {
    return await open(address, wanted, 5);
  } catch (fault) {
    if (!(fault instanceof BrokerFault && isOfVersion(fault.cause))) throw fault;
    return open(address, wanted, 4);
  }
};
