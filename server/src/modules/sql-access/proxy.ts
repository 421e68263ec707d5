import { once } from "node:events";
import { connect, createServer, isIP, type NetConnectOpts, type Socket } from "node:net";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import type { World } from "../../world.ts";
import { sqlNamesOf } from "./names.ts";
import { createAuthenticationReader, fatalError, type Opening, readOpening } from "./startup-packet.ts";

/** Most connections of all SQL users: PostgreSQL's own are few, and each of these may take two. */
const mostSessions = 10;
/** Most clients that have not said yet who they are, and most that have not proved it yet: each of the latter takes a connection of PostgreSQL's. */
const [mostOpening, mostProving] = [200, 10];
/** A client that has not said by then who it is goes, and one that has not proved it by then after that, milliseconds. */
const openingLimit = 10_000;
/** How long a client that is refused has to read why, milliseconds. */
const readingLimit = 2_000;

export interface SqlProxyOptions {
  host: string;
  port: number;
  databaseUrl: string;
  /** PEM; without it connections are not encrypted. */
  tls?: { cert: string; key: string };
}

/** The port that SQL users connect to. */
export interface SqlProxy {
  start(): Promise<void>;
  stop(): Promise<void>;
  port(): number;
  /** When a client was last passed on to PostgreSQL, as `clock.steady`; -Infinity when none ever was. */
  enteredTs(): number;
}

/** Where PostgreSQL listens: a Unix socket when its address names the socket's folder. */
const targetOf = (databaseUrl: string): NetConnectOpts => {
  const address = new URL(databaseUrl);
  const host = address.searchParams.get("host") ?? decodeURIComponent(address.hostname);
  const port = Number(address.port || 5432);
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host: host || "127.0.0.1", port };
};

const isLoopback = (address: string): boolean =>
  address.startsWith("127.") || address === "::1" || address.startsWith("::ffff:127.");

interface Client {
  socket: Socket;
  opening: Opening;
  /** The first packet, and what came after it. */
  bytes: Buffer;
}

/** Reads a client's first packet. Undefined when it leaves, or takes too long: until `late` aborts. */
const nextOpening = async (socket: Socket, late: AbortSignal): Promise<Client | undefined> => {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const read = readOpening(bytes);
    if (read) {
      // What it sends meanwhile waits until it is passed on.
      socket.pause();
      return { socket, opening: read.opening, bytes };
    }
    socket.resume();
    const [piece] = await once(socket, "data", { signal: late }).catch(() => []);
    if (!Buffer.isBuffer(piece)) return undefined;
    bytes = Buffer.concat([bytes, piece]);
  }
};

/** Length of a request for encryption, bytes. */
const requestLength = 8;

/** Agrees on encryption, and returns the packet in which the client says who it is. */
const openingOf = async (
  socket: Socket,
  secure: SecureContext | undefined,
  late: AbortSignal,
): Promise<Client | undefined> => {
  const first = await nextOpening(socket, late);
  const kind = first?.opening.kind;
  if (kind !== "tls" && kind !== "encryption") return first;
  // What follows the request unencrypted could have been slipped in by somebody between.
  if (first && first.bytes.length > requestLength) return undefined;
  if (kind === "encryption" || !secure) {
    socket.write("N");
    return openingOf(socket, secure, late);
  }
  socket.write("S");
  const encrypted = new TLSSocket(socket, { isServer: true, secureContext: secure });
  encrypted.on("error", () => encrypted.destroy());
  return nextOpening(encrypted, late);
};

type Needs = Pick<World, "pool" | "log" | "clock">;

const isUser = "SELECT FROM sql_users WHERE role_name = $1";
const noteUse = "UPDATE sql_users SET used_time = $2, used_address = $3 WHERE role_name = $1";

/** An error code of PostgreSQL and its text. */
type Refusal = [code: string, message: string];

/** Why a client may not enter the database; undefined when it may try. */
const refusalOf = async (
  { pool }: Needs,
  { socket, opening }: Client,
  { offered, isTls }: { offered: string; isTls: boolean },
): Promise<Refusal | undefined> => {
  if (opening.kind !== "start") return ["08P01", "This port takes PostgreSQL's protocol 3 only"];
  if (isTls && !(socket instanceof TLSSocket) && !isLoopback(socket.remoteAddress ?? ""))
    return ["28000", "Connections from other machines must be encrypted: use sslmode=require"];
  if (opening.database !== offered)
    return ["3D000", `SQL users enter the database ${offered}, there is no other for them`];
  const isKnown = (await pool.query(isUser, [opening.user])).rowCount === 1;
  return isKnown ? undefined : ["28P01", `password authentication failed for user "${opening.user}"`];
};

/** Says why and ends the connection, also of a client that does not end its side. */
const refuse = (socket: Socket, refusal: Refusal): void => {
  socket.end(fatalError(...refusal));
  const late = setTimeout(() => socket.destroy(), readingLimit);
  socket.once("close", () => clearTimeout(late));
  // Unread, the end of its side would not be noticed.
  socket.resume();
};

/** Connections of which there may be so many; one more ends the oldest, as whoever means it does not stay long. */
const createWaiting = (most: number) => {
  const open = new Set<Socket>();
  return {
    enter: (socket: Socket): void => {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      const [oldest] = open;
      if (open.size > most) oldest?.destroy();
    },
    leave: (socket: Socket): void => void open.delete(socket),
  };
};

/** Passes everything on between a client and PostgreSQL, until either closes. */
const join = ({ socket, bytes }: Client, target: NetConnectOpts): Socket => {
  const inner = connect(target);
  const end = (): void => {
    socket.destroy();
    inner.destroy();
  };
  for (const side of [socket, inner]) side.on("error", end).on("close", end);
  inner.setKeepAlive(true).setNoDelay(true);
  inner.write(bytes);
  socket.pipe(inner).pipe(socket);
  return inner;
};

/** Passes nothing on any more. */
const leaveAlone = (socket: Socket, inner: Socket): void => {
  socket.unpipe(inner);
  inner.unpipe(socket);
};

/** Calls `onProved` once PostgreSQL has let the client in. */
const whenProved = (inner: Socket, onProved: () => void): void => {
  const isAuthenticated = createAuthenticationReader();
  const look = (piece: Buffer): void => {
    if (!isAuthenticated(piece)) return;
    inner.off("data", look);
    onProved();
  };
  inner.on("data", look);
};

/** Notes when, and from where, a SQL user was last let in. */
const noteEntry = ({ pool, log, clock }: Needs, user: string, address: string): void => {
  pool
    .query(noteUse, [user, clock.date(), address])
    .catch((err: unknown) => log.warn({ err }, "Could not note the use of a SQL user"));
};

const full: Refusal = ["53300", `SQL users have ${mostSessions} connections at most: close one`];

/** Serves connections, one by one. */
const createService = (needs: Needs, { databaseUrl, tls }: SqlProxyOptions) => {
  const target = targetOf(databaseUrl);
  const secure = tls && createSecureContext(tls);
  const entry = { offered: sqlNamesOf(databaseUrl).offered, isTls: secure !== undefined };
  const [opening, proving] = [createWaiting(mostOpening), createWaiting(mostProving)];
  /** Those that PostgreSQL has let in. */
  const sessions = new Set<Socket>();
  let enteredTs = Number.NEGATIVE_INFINITY;
  const passOn = (socket: Socket, client: Client): void => {
    const address = socket.remoteAddress ?? "";
    const inner = join(client, target);
    const late = setTimeout(() => socket.destroy(), openingLimit);
    socket.once("close", () => {
      clearTimeout(late);
      sessions.delete(socket);
    });
    if (client.opening.kind !== "start") return;
    const { user } = client.opening;
    enteredTs = needs.clock.steady();
    whenProved(inner, () => {
      if (socket.destroyed) return;
      clearTimeout(late);
      proving.leave(socket);
      // Several may have proved it at once.
      if (sessions.size >= mostSessions) {
        leaveAlone(client.socket, inner);
        return refuse(client.socket, full);
      }
      sessions.add(socket);
      noteEntry(needs, user, address);
    });
  };
  const serve = async (socket: Socket): Promise<void> => {
    opening.enter(socket);
    const client = await openingOf(socket, secure, AbortSignal.timeout(openingLimit));
    // PostgreSQL checks the key of the session that is to be cancelled.
    const isCancel = client?.opening.kind === "cancel";
    const refusal = !client || isCancel ? undefined : await refusalOf(needs, client, entry);
    // One that has left meanwhile would take its connection of PostgreSQL's for as long as that waits.
    if (!client || socket.destroyed) return void socket.destroy();
    if (refusal) return refuse(client.socket, refusal);
    if (sessions.size >= mostSessions && !isCancel) return refuse(client.socket, full);
    opening.leave(socket);
    proving.enter(socket);
    passOn(socket, client);
  };
  return { serve, enteredTs: () => enteredTs };
};

/**
 * Creates the port at which SQL users reach PostgreSQL. It lets through only them, and only into the database that is theirs: PostgreSQL's own roles
 * cannot be tried from outside. PostgreSQL checks the password.
 */
export const createSqlProxy = (needs: Needs, options: SqlProxyOptions): SqlProxy => {
  const { log } = needs;
  const { host, port, tls } = options;
  const { serve, enteredTs } = createService(needs, options);
  const open = new Set<Socket>();
  // Without delay: a question is several small packets, and each would wait for the one before to be acknowledged.
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    serve(socket).catch((err: unknown) => {
      log.warn({ err }, "A SQL user could not be let in");
      socket.destroy();
    });
  });
  return {
    start: async () => {
      server.listen(port, host);
      await once(server, "listening");
      if (!tls && isIP(host) && !isLoopback(host))
        log.warn(`SQL users' connections to ${host}:${port} are not encrypted: set TLS_CERT and TLS_KEY`);
    },
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    port: () => {
      const address = server.address();
      return typeof address === "object" && address ? address.port : port;
    },
    enteredTs,
  };
};
