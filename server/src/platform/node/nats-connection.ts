import { setTimeout as sleep } from "node:timers/promises";
import {
  AuthorizationError,
  connect,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
} from "@nats-io/transport-node";
import type { Logger } from "pino";
import { OperatorError } from "../operator-error.ts";

interface Needs {
  /** Addresses such as nats://user:password@host:4222; user and password, or a token, are those of the first. */
  addresses: readonly string[];
  /** Name of this client, for NATS' own monitoring. */
  name: string;
  log: Logger;
  /** The connection is there again, after messages may have been missed. */
  onMissed: () => void;
}

/** The connection to NATS, made again whenever it is lost. */
export interface Link {
  /** Undefined while there is none. */
  current(): NatsConnection | undefined;
  /** Subscribes now and after each connect; returns the function that unsubscribes. */
  subscribe(subject: string, take: (message: Msg) => void): () => void;
  stop(): Promise<void>;
}

/** How long the start waits for NATS, milliseconds; longer only without it. */
const firstWait = 3_000;
/** Delay between two tries to connect, milliseconds. */
const pause = 1_000;

const wrongCredentials =
  "NATS refuses the user and password, or the token, in NATS_URL: correct them (nats://user:password@host:4222)";
const unreachable =
  "NATS cannot be reached: consoles miss live values of other nodes' devices, and commands reach only this node's devices. Readings and alerts are not affected. Trying again each second";

const optionsOf = ({ addresses, name }: Needs): NodeConnectionOptions => {
  const urls = addresses.map((address) => new URL(address));
  const { username, password } = urls[0] ?? { username: "", password: "" };
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    name,
    noEcho: true,
    maxReconnectAttempts: -1,
    // Two refusals would close it for good; a permission file that is wrong for a minute must not take a node out.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: pause,
    pingInterval: 10_000,
    ...(pass ? { user, pass } : user ? { token: user } : {}),
    ...(urls.some(({ protocol }) => protocol === "tls:") ? { tls: {} } : {}),
  };
};

type Phase = "start" | "work" | "over";

/** Connects with retries until it is over. Throws when NATS refuses the credentials at the start; later it may be NATS that has wrong ones for a while. */
const connected = async (needs: Needs, phase: () => Phase): Promise<NatsConnection | undefined> => {
  let reported: string | undefined;
  while (phase() !== "over") {
    try {
      return await connect(optionsOf(needs));
    } catch (fault) {
      const isRefused = fault instanceof AuthorizationError;
      if (isRefused && phase() === "start") throw new OperatorError(wrongCredentials, { cause: fault });
      const trouble = isRefused ? `${wrongCredentials}. Trying again each second` : unreachable;
      if (reported !== trouble) needs.log.warn({ err: fault }, trouble);
      reported = trouble;
      await sleep(pause, undefined, { ref: false });
    }
  }
  return undefined;
};

interface Wanted {
  subject: string;
  take: (message: Msg) => void;
}

/** Subscriptions that outlive the time without a connection. The client renews them itself when it reconnects. */
const createSubscriptions = (log: Logger) => {
  const wanted = new Map<Wanted, (() => void) | undefined>();
  const make = (to: NatsConnection, { subject, take }: Wanted): (() => void) => {
    const subscription = to.subscribe(subject, {
      callback: (fault, message) => {
        try {
          if (fault) throw fault;
          take(message);
        } catch (err) {
          // Others with access to NATS may publish anything.
          log.warn({ err, subject }, "A message of another node could not be read and was ignored");
        }
      },
    });
    return () => subscription.unsubscribe();
  };
  return {
    makeAll: (to: NatsConnection): void => {
      for (const each of wanted.keys()) wanted.set(each, make(to, each));
    },
    add: (to: NatsConnection | undefined, each: Wanted): (() => void) => {
      wanted.set(each, to && make(to, each));
      return () => {
        wanted.get(each)?.();
        wanted.delete(each);
      };
    },
  };
};

/** Calls `onChange` with whether the connection is up, until it is closed. */
const watch = async (connection: NatsConnection, log: Logger, onChange: (isUp: boolean) => void): Promise<void> => {
  let wasUp = true;
  for await (const { type } of connection.status()) {
    // Each failed try to reconnect is another "disconnect".
    if (type === "disconnect" && wasUp) {
      wasUp = false;
      log.warn("The connection to NATS is lost; readings and alerts are not affected. Reconnecting");
      onChange(false);
    } else if (type === "reconnect") {
      wasUp = true;
      log.info("The connection to NATS is back");
      onChange(true);
    }
  }
};

/** Connects to NATS. Waits for it a short time at most: without it the node works by itself. Throws when NATS refuses the credentials in that time. */
export const openLink = async (needs: Needs): Promise<Link> => {
  const { log, onMissed } = needs;
  const subscriptions = createSubscriptions(log);
  let connection: NatsConnection | undefined;
  let isUp = false;
  let phase: Phase = "start";
  const connecting = connected(needs, () => phase).then(async (made) => {
    if (!made || phase === "over") return made?.close();
    connection = made;
    isUp = true;
    subscriptions.makeAll(made);
    void watch(made, log, (isUpNow) => {
      isUp = isUpNow;
      if (isUp) onMissed();
    });
  });
  await Promise.race([connecting, sleep(firstWait, undefined, { ref: false })]);
  phase = "work";
  if (!isUp)
    connecting.then(onMissed, (fault: unknown) => log.error({ err: fault }, "This node works without the others"));
  return {
    current: () => (isUp ? connection : undefined),
    subscribe: (subject, take) => subscriptions.add(connection, { subject, take }),
    stop: async () => {
      phase = "over";
      isUp = false;
      await connection?.close();
    },
  };
};
