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

/** Logs a check's fault once when it begins to fail, and its recovery; `address`: where it is reported. */
const createCheckLog = (log: FastifyBaseLogger, address: string) => {
  const failing = new Set<string>();
  return ({ name, fault }: Result): void => {
    if ((fault !== undefined) === failing.has(name)) return;
    if (fault === undefined) {
      failing.delete(name);
      log.info({ check: name }, `A readiness check of ${address} passes again`);
    } else {
      failing.add(name);
      log.warn({ err: fault, check: name }, `A readiness check fails; ${address} answers 503 until it passes`);
    }
  };
};

const stateOf = (results: readonly Result[]): State => ({
  isReady: results.every(({ fault }) => fault === undefined),
  byName: Object.fromEntries(results.map(({ name, text }) => [name, text])),
});

/** Returns what makes these checks, with the results of the last second. */
const createLook = (checks: Checks, note: (result: Result) => void): (() => Promise<State>) => {
  let last: Promise<State> | undefined;
  const forget = (): void => {
    last = undefined;
  };
  const ask = async (): Promise<State> => {
    const results = await resultsOf(checks);
    for (const result of results) note(result);
    return stateOf(results);
  };
  return () => {
    last ??= ask().finally(() => setTimeout(forget, memory).unref());
    return last;
  };
};

const address = "/readyz";
/**
 * For the balancer of several nodes: it would take all of them away at once, and cut all their connections, when the database that they share is slow or
 * away. As a query, because earlier versions do not read it: a balancer may ask nodes of both during an upgrade.
 */
const ofNode = "node";

interface Health {
  /** All that has to work. */
  checks: Checks;
  /** What has to work at this node, whatever the database does; answered without it. */
  ownChecks: Checks;
  isDraining: () => boolean;
}

/**
 * Serves `/healthz`: the process answers; and `/readyz`: 200 when every check passes, 503 with the reasons otherwise, and 404 while clients are handed
 * over to other nodes: HAProxy (`http-check disable-on-404`) then sends no new ones and leaves the others their connections. `/readyz?of=node` makes
 * the node's own checks only.
 */
export const serveHealth = (app: FastifyInstance, { checks, ownChecks, isDraining }: Health): void => {
  const look = createLook(checks, createCheckLog(app.log, address));
  const lookHere = createLook(ownChecks, createCheckLog(app.log, `${address}?of=${ofNode}`));
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get<{ Querystring: { of?: unknown } }>(address, async ({ query }, reply) => {
    if (isDraining()) return reply.code(404).send({ status: "stopping" });
    const { isReady, byName } = await (query.of === ofNode ? lookHere() : look());
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", ...byName });
  });
};
