import type { FastifyInstance } from "fastify";

/** What has to work before the server is ready, by name. A check throws when it does not. */
export type Checks = Record<string, () => Promise<unknown>>;

/** A check that takes longer has failed, in milliseconds: who asks is not kept waiting. */
const patience = 3_000;

const inTime = async (check: () => Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer for ${patience / 1000} s`)), patience);
  });
  return Promise.race([check(), late]).finally(() => clearTimeout(timer));
};

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** `/healthz`: the process answers. `/readyz`: 200 when every check passes, 503 with the reasons otherwise. */
export const serveHealth = (app: FastifyInstance, checks: Checks): void => {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const state = await inTime(check).then(() => "ok", reasonOf);
        return [name, state] as const;
      }),
    );
    const isReady = results.every(([, state]) => state === "ok");
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", ...Object.fromEntries(results) });
  });
};
