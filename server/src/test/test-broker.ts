import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { Aedes, type AuthenticateError } from "aedes";
import { createWebSocketStream, WebSocketServer } from "ws";
import { testCertificate, testKey } from "./test-certificate.ts";

/** A message that a broker has received. */
export interface Received {
  topic: string;
  payload: Buffer;
}

interface Wanted {
  port?: number;
  /** How it is reached; by TCP unless given. */
  transport?: "mqtt" | "mqtts" | "ws";
  /** Whom it admits; absent: everybody. */
  user?: { name: string; password: string };
  /** Which topics may be published to; absent: all. */
  allows?: (topic: string) => boolean;
}

/** Another MQTT broker, as a company's IT has one: it keeps what is published to it. */
export interface TestBroker {
  port: number;
  url: string;
  received: Received[];
  /** Texts of what was published to topics that match. */
  textsOf(topic: RegExp): string[];
  publish(topic: string, payload: Buffer): void;
  /** Ends it and all its connections; what it has received stays. */
  stop(): Promise<void>;
}

const serverOf = (transport: NonNullable<Wanted["transport"]>, serve: (socket: Duplex) => void): Server => {
  if (transport === "mqtts") return createTlsServer({ cert: testCertificate, key: testKey }, serve);
  if (transport === "mqtt") return createServer(serve);
  const server = createHttpServer();
  new WebSocketServer({ server, path: "/mqtt" }).on("connection", (socket) => serve(createWebSocketStream(socket)));
  return server;
};

const refusal = (): AuthenticateError => Object.assign(new Error("bad user name or password"), { returnCode: 4 });

/** Starts a broker; `received` may be that of one before it, which it continues. */
export const startBroker = async (
  { port = 0, transport = "mqtt", user, allows }: Wanted = {},
  received: Received[] = [],
): Promise<TestBroker> => {
  const broker = await Aedes.createBroker({
    authenticate: (_client, name, password, done) => {
      const isKnown = !user || (name === user.name && password?.toString() === user.password);
      done(isKnown ? null : refusal(), isKnown);
    },
    authorizePublish: (client, { topic, payload }, done) => {
      if (client && !topic.startsWith("$SYS")) {
        if (allows && !allows(topic)) return done(new Error("not allowed"));
        received.push({ topic, payload: Buffer.from(payload) });
      }
      done(null);
    },
  });
  const sockets = new Set<Duplex>();
  const serve = (socket: Duplex): void => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    broker.handle(socket);
  };
  const server = serverOf(transport, serve).listen(port);
  await once(server, "listening");
  const { port: listening } = server.address() as AddressInfo;
  return {
    port: listening,
    url: `${transport}://localhost:${listening}`,
    received,
    textsOf: (topic) =>
      received.filter((message) => topic.test(message.topic)).map(({ payload }) => payload.toString()),
    publish: (topic, payload) =>
      broker.publish({ cmd: "publish", topic, payload, qos: 1, retain: false, dup: false }, () => undefined),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await new Promise<void>((resolve) => broker.close(() => resolve()));
    },
  };
};
