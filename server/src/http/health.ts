import type { FastifyInstance } from "fastify";

/** What has to work before the server is ready, by name. A check throws when it does not. */
export type Checks = Record<string, () => Promise<unknown>>;

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** `/healthz`: the process answers. `/readyz`: 200 when every check passes, 503 with the reasons otherwise. */
export const serveHealth = (app: FastifyInstance, checks: Checks): void => {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const state = await check().then(() => "ok", reasonOf);
        return [name, state] as const;
      }),
    );
    const isReady = results.every(([, state]) => state === "ok");
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", ...Object.fromEntries(results) });
  });
};
