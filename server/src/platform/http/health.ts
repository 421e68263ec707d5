import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { plainReason } from "../log.ts";

const write = `
  INSERT INTO readiness (checked_time) VALUES (now()) ON CONFLICT (is_only) DO UPDATE SET checked_time = excluded.checked_time`;

/** Readiness check: throws when nothing can be committed. A read-only or full database still answers queries. */
export const checkWriting = async (pool: Pool): Promise<undefined> => {
  await pool.query(write);
};

/** Readiness checks by name. A check throws when it fails; a text that it returns is reported instead of 'ok'. */
export type Checks = Record<string, () => Promise<string | undefined>>;

/** Timeout of a check, milliseconds. */
const checkTimeout = 3_000;

/** How long a result is reused, milliseconds: the route is public, and checks write to disk. */
const memory = 1_000;

const withTimeout = async <T>(check: () => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer for ${checkTimeout / 1000} s`)), checkTimeout);
  });
  return Promise.race([check(), late]).finally(() => clearTimeout(timer));
};

interface State {
  isReady: boolean;
  byName: Record<string, string>;
}

interface Result {
  name: string;
  text: string;
  /** Why the check failed; absent when it passed. */
  fault?: unknown;
}

const resultsOf = (checks: Checks): Promise<Result[]> =>
  Promise.all(
    Object.entries(checks).map(([name, check]) =>
      withTimeout(check).then(
        (text = "ok") => ({ name, text }),
        (fault: unknown) => ({ name, text: plainReason(fault), fault }),
      ),
    ),
  );

/** Logs a check's fault once when it begins to fail, and its recovery. */
const createCheckLog = (log: FastifyBaseLogger) => {
  const failing = new Set<string>();
  return ({ name, fault }: Result): void => {
    if ((fault !== undefined) === failing.has(name)) return;
    if (fault === undefined) {
      failing.delete(name);
      log.info({ check: name }, "A readiness check passes again");
    } else {
      failing.add(name);
      log.warn({ err: fault, check: name }, "A readiness check fails; /readyz answers 503 until it passes");
    }
  };
};

const stateOf = (results: readonly Result[]): State => ({
  isReady: results.every(({ fault }) => fault === undefined),
  byName: Object.fromEntries(results.map(({ name, text }) => [name, text])),
});

/**
 * Serves `/healthz`: the process answers; and `/readyz`: 200 when every check passes, 503 with the reasons otherwise, and 404 while clients are handed
 * over to other nodes: HAProxy (`http-check disable-on-404`) then sends no new ones and leaves the others their connections.
 */
export const serveHealth = (app: FastifyInstance, checks: Checks, isDraining: () => boolean): void => {
  const note = createCheckLog(app.log);
  let last: Promise<State> | undefined;
  const forget = (): void => {
    last = undefined;
  };
  const ask = async (): Promise<State> => {
    const results = await resultsOf(checks);
    for (const result of results) note(result);
    return stateOf(results);
  };
  const look = (): Promise<State> => {
    last ??= ask().finally(() => setTimeout(forget, memory).unref());
    return last;
  };
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    if (isDraining()) return reply.code(404).send({ status: "stopping" });
    const { isReady, byName } = await look();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", ...byName });
  });
};
