import { STATUS_CODES } from "node:http";
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
import { ApiError, conflict, invalid, notFound } from "./api-error.ts";
import { failed, refused } from "./envelope.ts";
import { readFields } from "./fields.ts";
import { bareHeaders } from "./security.ts";

/** Pieces that are kept apart at most: each costs some hundred bytes of memory, a single byte too. */
const mostPieces = 64;

/** The same bytes in fewer pieces. */
export async function* inLargerPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const piece of bytes) {
    if (pieces.push(piece) < mostPieces) continue;
    yield Buffer.concat(pieces);
    pieces = [];
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

/**
 * Fastify keeps a body as the pieces in which it comes, until its end. Whoever sends it a byte at a time would make the server hold
 * hundreds of times as much; here a body that is not all there with its head is joined on its way. Nothing is read before Fastify does.
 */
const joinPieces: preParsingAsyncHookHandler = async (request, _reply, body) => {
  // What has come together with the head has been read when this goes on.
  await undefined;
  if (request.raw.complete) return body;
  return Readable.from(inLargerPieces(body), { objectMode: false });
};

/** Largest body of a call in bytes; uploads have a limit of their own. */
const bodyLimit = 1024 * 1024;

/** Who sends a request's head a byte at a time is not waited for longer than this, milliseconds; looked at every few seconds. */
const slow = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 };

/** What isn't answered 400: a browser that has just begun to use a connection of long ago asks again after a 408. */
const bareStatus: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** What Fastify itself refuses (malformed JSON, a body too large) as a refusal of ours; undefined for a real fault. */
const asRefusal = (fault: FastifyError | ApiError): ApiError | undefined => {
  if (fault instanceof ApiError) return fault;
  const status = fault.statusCode ?? 500;
  if (status === 404 || status === 405) return notFound();
  if (status === 413) return invalid("The request is too large");
  return status >= 400 && status < 500 ? invalid("The request can't be read") : undefined;
};

/** PostgreSQL's codes for changes that came at the same moment: a key that exists by now, and transactions that waited for each other. */
const collisions = new Set(["23505", "40001", "40P01"]);
const collided =
  "Somebody else changed this at the same moment. Please look at it again and repeat your change if it is still needed";

const answerFaults = (app: FastifyInstance): void => {
  app.setErrorHandler((fault: FastifyError | ApiError, request, reply) => {
    const refusal = asRefusal(fault);
    if (refusal) return reply.code(200).send(refused(refusal));
    if (collisions.has(String(fault.code))) {
      // Nothing was changed. A call that comes here often needs a lock or an ON CONFLICT of its own.
      request.log.warn({ err: fault, req: request }, "A call collided with another");
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

/** A Fastify that answers in envelopes and whose log never holds a token. Knows no call and no domain. */
export const createHttp = (log: Logger, trustProxy: boolean | string = false): FastifyInstance => {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: 60_000,
    http: slow,
    routerOptions: { querystringParser: readFields, maxParamLength: 500 },
    // A request line or header that is no HTTP, or none for too long: there is no call to answer, so a bare status.
    clientErrorHandler: (fault, socket) => {
      const status = bareStatus[codeOf(fault) ?? ""] ?? 400;
      if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    },
    // An address that can't be decoded: no call has it. A device would take 200 for a success.
    frameworkErrors: (_fault, request, reply: FastifyReply) =>
      void reply
        .code(isDevicePath(request.url) ? 404 : 200)
        .headers(bareHeaders)
        .send(refused(notFound())),
  });
  answerFaults(app);
  app.addHook("preParsing", joinPieces);
  readBodies(app);
  return app;
};
