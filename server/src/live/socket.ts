import websocket from "@fastify/websocket";
import { closedBySignOut } from "@telltale/contract/live";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { FindCaller } from "../platform/http/gate.ts";
import type { World } from "../world.ts";
import { admitted, type Entry, isOwnPage } from "./admission.ts";
import { createMember } from "./connection.ts";
import { createHub, type HubLimits } from "./hub.ts";

export interface LiveOptions {
  /** Where browsers find the console, when that is not the address the request names. */
  publicUrl?: string | undefined;
  limits?: HubLimits;
}

/** Nothing is expected from the other end; whoever sends more than this, in bytes, is cut off. */
const largestMessage = 1024;

/**
 * Serves the live socket `/web/websocket/{userId}_{accountId}?token=`. Who may listen is known before the upgrade is answered, so that
 * nothing is missed between a client's 'open' and the first message.
 */
export const serveLive = async (
  app: FastifyInstance,
  world: Pick<World, "db" | "bus" | "log" | "metrics">,
  findCaller: FindCaller,
  { publicUrl, limits }: LiveOptions = {},
): Promise<void> => {
  const hub = createHub({ ...world, findCaller, ...(limits ? { limits } : {}) });
  const entries = new WeakMap<FastifyRequest, Entry>();
  app.addHook("onReady", async () => hub.start());
  // Before the plugin's own, which would close the sockets without a reason.
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
        const entry = await admitted(request, findCaller, hub.sightOf);
        if (entry) entries.set(request, entry);
      },
    },
    (socket, request) => {
      const entry = entries.get(request);
      if (!entry) return socket.close(closedBySignOut, "Please sign in");
      const member = createMember(socket, request.raw.socket, entry);
      socket.on("close", () => hub.leave(member));
      hub.join(member);
    },
  );
};
