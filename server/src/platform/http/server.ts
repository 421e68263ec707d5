import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { isDevicePath } from "@telltale/contract/device-api";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type preParsingAsyncHookHandler,
} from "fastify";
import type { Logger } from "pino";
import { codeOf } from "../fault.ts";
import { nodeHttp } from "../node-http.ts";
import { ApiError, conflict, invalid, notFound } from "./api-error.ts";
import { failed, refused } from "./envelope.ts";
import { readFields } from "./fields.ts";
import { bareHeaders } from "./security.ts";

/** Chunks that are buffered separately; each costs some hundred bytes of memory, even for a single byte. */
const mostPieces = 64;

/** Joins small chunks into larger ones. */
export async function* inLargerChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const piece of bytes) {
    if (pieces.push(piece) < mostPieces) continue;
    yield Buffer.concat(pieces);
    pieces = [];
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

/**
 * Fastify buffers a body as the chunks in which it arrives. A client that sends single bytes would multiply the memory by hundreds, so the chunks of
 * a body that did not arrive with its header are joined. Nothing is read before Fastify does.
 */
const joinPieces: preParsingAsyncHookHandler = async (request, _reply, body) => {
  // Data that arrived together with the header has been read after this.
  await undefined;
  if (request.raw.complete) return body;
  return Readable.from(inLargerChunks(body), { objectMode: false });
};

/** Largest body that anybody may send, bytes: it is read and parsed before any limit of tries. Signed-in callers may send more. */
const bodyLimit = 64 * 1024;

/** Bounds the time to receive the request headers, in milliseconds (slowloris protection); checked every few seconds. */
const slow = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 };

/**
 * Only WebSockets are another protocol here. Programs offer others beside an ordinary request, as HTTP/2 by default in Java: without this its body would be
 * taken for bytes of that protocol.
 */
const isForWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === "websocket";

/** What clients' connections may be. */
interface ConnectionLimits {
  /**
   * Most requests of one connection that have no answer yet. Node carries out at once whatever came in one piece, and keeps the answers of those behind
   * the first: 64 kB of requests would hold the server up for seconds. Browsers and proxies send one request after the other.
   */
  ahead: number;
  /**
   * Most connections without a request that has arrived as a whole and has no answer yet. Each is an open file, and devices by MQTT need theirs. Browsers
   * and units open another one when they need it.
   */
  idle: number;
}

const usualLimits: ConnectionLimits = { ahead: 32, idle: 16_384 };

/** Ends connections that send too many requests ahead of their answers, and those that have been idle for longest when there are too many. */
export const limitConnections = (app: FastifyInstance, limits = usualLimits): void => {
  /** By connection, how many requests have no answer yet. Requests that tests inject have no connection. */
  const unanswered = new WeakMap<Socket, number>();
  /** The longest idle first. */
  const idle = new Set<Socket>();
  const rest = (socket: Socket): void => {
    if (socket.destroyed) return;
    idle.add(socket);
    const [longest] = idle;
    if (!longest || idle.size <= limits.idle) return;
    idle.delete(longest);
    longest.destroy();
  };
  app.server.on("connection", (socket: Socket) => {
    unanswered.set(socket, 0);
    socket.once("close", () => idle.delete(socket));
    rest(socket);
  });
  app.addHook("onRequest", ({ raw }, reply, done) => {
    const { socket } = raw;
    const count = unanswered.get(socket);
    if (count === undefined) return done();
    if (count >= limits.ahead) {
      reply.hijack();
      socket.destroy();
      return;
    }
    unanswered.set(socket, count + 1);
    reply.raw.once("close", () => {
      const left = (unanswered.get(socket) ?? 1) - 1;
      unanswered.set(socket, left);
      if (left === 0 && !isForWebSocket(raw)) rest(socket);
    });
    done();
  });
  // Its body is read by now.
  app.addHook("preValidation", async ({ raw }) => void idle.delete(raw.socket));
};

/** Status of unparsable requests other than 400. After a 408 a browser retries: it may have begun to use an idle connection just as it timed out. */
const bareStatus: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Converts Fastify's own client errors (malformed JSON, body too large) to an `ApiError`; undefined for real faults. */
const asRefusal = (fault: FastifyError | ApiError): ApiError | undefined => {
  if (fault instanceof ApiError) return fault;
  const status = fault.statusCode ?? 500;
  if (status === 404 || status === 405) return notFound();
  if (status === 413) return invalid("The request is too large");
  return status >= 400 && status < 500 ? invalid("The request can't be read") : undefined;
};

/** SQLSTATEs of conflicting concurrent changes: duplicate key, serialization failure, deadlock. */
const collisions = new Set(["23505", "40001", "40P01"]);
const collided =
  "Another user changed this at the same time. Check the current state and repeat your change if it is still needed";

const answerFaults = (app: FastifyInstance): void => {
  app.setErrorHandler((fault: FastifyError | ApiError, request, reply) => {
    const refusal = asRefusal(fault);
    if (refusal) return reply.code(200).send(refused(refusal));
    if (collisions.has(String(fault.code))) {
      // Nothing was changed. A call that fails here often may need a lock or an ON CONFLICT.
      request.log.warn(
        { err: fault, req: request },
        "A call conflicted with a concurrent change; its user was asked to repeat it",
      );
      return reply.code(200).send(refused(conflict(collided)));
    }
    request.log.error({ err: fault, req: request }, "A call failed");
    return reply.code(500).send(failed());
  });
};

const readBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(.+\+)?json/,
    { parseAs: "string" },
    app.getDefaultJsonParser("error", "error"),
  );
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    done(null, readFields(body.toString()));
  });
};

const notUsed = () => () => {
  throw new Error("Calls are checked by the contract's schemas; Fastify's are not used");
};

/** Creates a Fastify server that answers in envelopes and never logs a token. Knows no calls and no domains. */
export const createHttp = (log: Logger, trustProxy: boolean | string = false): FastifyInstance => {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: 60_000,
    http: { ...slow, shouldUpgradeCallback: isForWebSocket },
    // Without these, Fastify loads a validator and a serializer of its own: 2 MB for as long as the server runs.
    schemaController: { compilersFactory: { buildValidator: notUsed, buildSerializer: notUsed } },
    routerOptions: { querystringParser: readFields, maxParamLength: 500 },
    // A malformed or late request line or header: there is no route, so only a status is answered.
    clientErrorHandler: (fault, socket) => {
      const status = bareStatus[codeOf(fault) ?? ""] ?? 400;
      if (socket.writable)
        socket.end(`HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    },
    // A URL that cannot be decoded matches no call. Devices get HTTP 404, as they would take 200 for a success.
    frameworkErrors: (_fault, request, reply: FastifyReply) =>
      void reply
        .code(isDevicePath(request.url) ? 404 : 200)
        .headers(bareHeaders)
        .send(refused(notFound())),
  });
  limitConnections(app);
  answerFaults(app);
  app.addHook("preParsing", joinPieces);
  readBodies(app);
  return app;
};
