import { createServer, type Socket } from "node:net";
import { topics } from "@telltale/contract/device-api";
import mqttPacket, {
  type IConnackPacket,
  type IConnectPacket,
  type IPubackPacket,
  type IPublishPacket,
  type Packet,
} from "mqtt-packet";

/** A minimal MQTT server for tests: it acknowledges on demand, and drops connections on request. */
export interface TestBroker {
  url: string;
  port: number;
  /** All received publishes, including redeliveries. */
  received: { topic: string; payload: string }[];
  users: string[];
  /** Whether publishes are acknowledged; those that were not are never. */
  acknowledges: boolean;
  /** Additional content of a PUBACK, for a client of MQTT 5. */
  receipt: (payload: string) => Pick<IPubackPacket, "reasonCode" | "properties">;
  /** Additional content of the CONNACK, for a client of MQTT 5. */
  connack: Pick<IConnackPacket, "properties">;
  /** Drops all connections. */
  cut: () => void;
  /** Sends a message to all clients. */
  send: (topic: string, content: unknown) => void;
  /** The same with bytes. */
  sendBytes: (topic: string, bytes: Buffer) => void;
  /** When set, requested chunks of this image are answered. */
  image: Buffer | undefined;
  /** Received publishes on a topic, parsed. */
  on: (topic: string) => unknown[];
  close: () => Promise<void>;
}

const listen = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });

const subscribed = (packet: Packet & { cmd: "subscribe" }): Packet => ({
  cmd: "suback",
  messageId: packet.messageId ?? 0,
  granted: packet.subscriptions.map(() => 1),
});

/** The chunk's number is in the topic; the payload is its size, or contains it. */
const serveChunk = ({ image, sendBytes }: TestBroker, topic: string, payload: string): void => {
  const requested: number | { size: number } = JSON.parse(payload);
  const size = typeof requested === "number" ? requested : requested.size;
  const place = topic.slice(topics.firmware.request.length);
  const start = Number(place.split("/").at(-1)) * size;
  if (image) sendBytes(topics.firmware.response + place, image.subarray(start, start + size));
};

/** Starts a broker on a free port. */
export const startTestBroker = async (): Promise<TestBroker> => {
  const sockets = new Set<Socket>();
  const answer = (socket: Socket, packet: Packet, version: { protocolVersion?: number }): void => {
    const reply = (content: Packet) => socket.write(mqttPacket.generate(content, version));
    if (packet.cmd === "connect") {
      if (packet.protocolVersion === 5) version.protocolVersion = 5;
      broker.users.push((packet as IConnectPacket).username ?? "");
      const more = version.protocolVersion === 5 ? broker.connack : {};
      reply({ cmd: "connack", returnCode: 0, reasonCode: 0, sessionPresent: false, ...more });
    } else if (packet.cmd === "subscribe") reply(subscribed(packet));
    else if (packet.cmd === "pingreq") reply({ cmd: "pingresp" });
    else if (packet.cmd === "publish") {
      const { topic, payload, messageId } = packet as IPublishPacket;
      broker.received.push({ topic, payload: payload.toString() });
      if (broker.image && topic.startsWith(topics.firmware.request)) serveChunk(broker, topic, payload.toString());
      if (broker.acknowledges && messageId !== undefined) {
        const receipt = version.protocolVersion === 5 ? broker.receipt(payload.toString()) : {};
        reply({ cmd: "puback", messageId, ...receipt });
      }
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    const parser = mqttPacket.parser();
    const version = {};
    parser.on("packet", (packet) => answer(socket, packet, version));
    socket.on("data", (chunk) => parser.parse(Buffer.from(chunk)));
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const broker: TestBroker = {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    received: [],
    users: [],
    acknowledges: true,
    receipt: () => ({}),
    connack: {},
    cut,
    image: undefined,
    send: (topic, content) => broker.sendBytes(topic, Buffer.from(JSON.stringify(content))),
    sendBytes: (topic, payload) => {
      const packet = mqttPacket.generate({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false });
      for (const socket of sockets) socket.write(packet);
    },
    on: (topic) => broker.received.filter((one) => one.topic === topic).map((one) => JSON.parse(one.payload)),
    close: () =>
      new Promise((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
  return broker;
};
