import { type Client, createClient } from "@telltale/contract/call/client";
import type { FastifyInstance, InjectOptions } from "fastify";
import { type AppOptions, buildApp } from "../app.ts";
import { createTestWorld, type TestWorld } from "./test-world.ts";

export interface TestServer {
  world: TestWorld;
  app: FastifyInstance;
  /** The typed client as this user, or without a session. */
  as(person?: { token: string }): Client;
  /** The typed client of a program that has an API key. */
  byKey(apiKey: string): Client;
  close(): Promise<void>;
}

/** The body as `fetch` would send it: forms encoded, files as multipart. */
const sent = async ({ body, headers }: RequestInit): Promise<Pick<InjectOptions, "headers" | "payload">> => {
  const given = headers as Record<string, string> | undefined;
  if (!body) return { headers: { ...given } };
  const carrier = new Response(body);
  const type = carrier.headers.get("content-type");
  return {
    headers: { ...(type ? { "content-type": type } : {}), ...given },
    payload: Buffer.from(await carrier.arrayBuffer()),
  };
};

/** `fetch` that reaches the server without a network. */
const injectFetch =
  (app: FastifyInstance): typeof fetch =>
  async (address, init = {}) => {
    const answer = await app.inject({
      method: (init.method ?? "GET") as NonNullable<InjectOptions["method"]>,
      url: String(address),
      ...(await sent(init)),
    });
    const type = String(answer.headers["content-type"] ?? "");
    return new Response(new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: { "content-type": type },
    });
  };

/** The typed client of a server that is not listening. */
export const clientsOf =
  (app: FastifyInstance): TestServer["as"] =>
  (person) =>
    createClient({ baseUrl: "", token: () => person?.token, fetch: injectFetch(app) });

/** Starts the whole HTTP server, by default on its own database. Close it in `afterAll`. */
export const startTestServer = async (
  options: AppOptions = {},
  wanted: Parameters<typeof createTestWorld>[0] = {},
): Promise<TestServer> => {
  const world = await createTestWorld(wanted);
  const app = await buildApp(world, options);
  return {
    world,
    app,
    as: clientsOf(app),
    byKey: (apiKey) => createClient({ baseUrl: "", apiKey, fetch: injectFetch(app) }),
    close: async () => {
      await app.close();
      await world.close();
    },
  };
};
