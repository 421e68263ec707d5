import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Aedes, type AuthenticateError } from "aedes";

/** A message that a broker has received. */
export interface Received {
  topic: string;
  payload: Buffer;
}

interface Wanted {
  port?: number;
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

const refusal = (): AuthenticateError => Object.assign(new Error("bad user name or password"), { returnCode: 4 });

/** Starts a broker; `received` may be that of one before it, which it continues. */
export const startBroker = async (
  { port = 0, user, allows }: Wanted = {},
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
  const sockets = new Set<import("node:net").Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    broker.handle(socket);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: listening } = server.address() as AddressInfo;
  return {
    port: listening,
    url: `mqtt://127.0.0.1:${listening}`,
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
