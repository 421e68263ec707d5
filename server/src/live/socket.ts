import websocket from "@fastify/websocket";
import { closedBySignOut, mostWatched } from "@telltale/contract/live";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Handover } from "../platform/drain.ts";
import type { FindCaller } from "../platform/http/gate.ts";
import type { World } from "../world.ts";
import type { ChangedOf } from "./alert-rows.ts";
import { createHub, type HubLimits } from "./hub.ts";
import { type Admission, admit, isOwnPage } from "./plant/admission.ts";
import { createConnection } from "./plant/connection.ts";
import { createWatchReader } from "./plant/watch.ts";

export interface LiveOptions {
  /** Public address of the console, when it differs from the request's host. */
  publicUrl?: string | undefined;
  limits?: HubLimits;
}

/** Largest message from a client, bytes: the ids of as many channels as it can name. */
const largestMessage = 12 * mostWatched + 1024;

/**
 * Serves the live socket `/web/websocket/{userId}_{accountId}?token=`. The client is authorized before the upgrade is answered, so that no message is
 * missed after the client's 'open'. Returns the open sockets.
 */
export const serveLive = async (
  app: FastifyInstance,
  world: Pick<World, "db" | "bus" | "log" | "metrics">,
  { findCaller, changedOf }: { findCaller: FindCaller; changedOf: ChangedOf },
  { publicUrl, limits }: LiveOptions = {},
): Promise<Handover> => {
  const hub = createHub({ ...world, findCaller, changedOf, ...(limits ? { limits } : {}) });
  const entries = new WeakMap<FastifyRequest, Admission>();
  app.addHook("onReady", async () => hub.start());
  // Registered before the plugin's own hook, which would close the sockets without a reason.
  app.addHook("preClose", async () => hub.stop());
  await app.register(websocket, {
    options: { maxPayload: largestMessage },
    errorHandler: (err, socket) => {
      world.log.debug({ err }, "A live socket failed");
      socket.terminate();
    },
  });

  app.get(
    "/web/websocket/:pair",
    {
      websocket: true,
      preValidation: async (request, reply) => {
        if (!isOwnPage(request.headers.origin, request.host, publicUrl)) return reply.code(403).send();
        const entry = await admit(request, findCaller, hub.visibilityOf);
        if (entry) entries.set(request, entry);
      },
    },
    (socket, request) => {
      const entry = entries.get(request);
      if (!entry) return socket.close(closedBySignOut, "Please sign in");
      const connection = createConnection(socket, request.raw.socket, entry);
      socket.on("close", () => hub.leave(connection));
      hub.join(connection);
      const read = createWatchReader((watched) => hub.watch(connection, watched));
      socket.on("message", (data, isBinary) => {
        if (!isBinary) read(String(data));
      });
    },
  );
  return hub.sockets;
};
