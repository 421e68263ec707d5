import type { FastifyInstance } from "fastify";
import { callerFinder } from "./accounts/sign-ins.ts";
import { createGate } from "./http/gate.ts";
import { createHttp } from "./http/server.ts";
import type { World } from "./world.ts";

export interface AppOptions {
  /** Proxies in front whose forwarded address is believed. */
  trustProxy?: boolean | string;
}

/** The HTTP side of the server, ready to listen or to be injected into. */
export const buildApp = async (world: World, options: AppOptions = {}): Promise<FastifyInstance> => {
  const app = createHttp(world.log, options.trustProxy);
  const gate = createGate(callerFinder(world));
  void gate;
  return app;
};
