import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { plainReason } from "../log.ts";

const write = `
  INSERT INTO readiness (checked_time) VALUES (now()) ON CONFLICT (is_only) DO UPDATE SET checked_time = excluded.checked_time`;

/** A check: throws when nothing can be committed. A database that is read-only or full still answers questions. */
export const checkWriting = async (pool: Pool): Promise<undefined> => {
  await pool.query(write);
};

/** What has to work before the server is ready, by name. A check throws when it does not; what it gives is said in place of 'ok'. */
export type Checks = Record<string, () => Promise<string | undefined>>;

/** A check that takes longer has failed, in milliseconds: who asks is not kept waiting. */
const patience = 3_000;

/** Whoever asks again within this time hears the same, milliseconds: anybody may ask, and checks write to disks. */
const memory = 1_000;

const inTime = async <T>(check: () => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer for ${patience / 1000} s`)), patience);
  });
  return Promise.race([check(), late]).finally(() => clearTimeout(timer));
};

interface State {
  isReady: boolean;
  said: Record<string, string>;
}

interface Result {
  name: string;
  words: string;
  /** Why the check has failed; absent: it passed. */
  fault?: unknown;
}

const resultsOf = (checks: Checks): Promise<Result[]> =>
  Promise.all(
    Object.entries(checks).map(([name, check]) =>
      inTime(check).then(
        (words = "ok") => ({ name, words }),
        (fault: unknown) => ({ name, words: plainReason(fault), fault }),
      ),
    ),
  );

/** Logs a check's cause when it begins to fail, and when it is over. */
const createBatchHealth = (log: FastifyBaseLogger) => {
  const failing = new Set<string>();
  return ({ name, fault }: Result): void => {
    if ((fault !== undefined) === failing.has(name)) return;
    if (fault === undefined) {
      failing.delete(name);
      log.info({ check: name }, "The server does this part of its work again");
    } else {
      failing.add(name);
      log.warn({ err: fault, check: name }, "The server can't do this part of its work");
    }
  };
};

const stateOf = (results: readonly Result[]): State => ({
  isReady: results.every(({ fault }) => fault === undefined),
  said: Object.fromEntries(results.map(({ name, words }) => [name, words])),
});

/** `/healthz`: the process answers. `/readyz`: 200 when every check passes, 503 with the reasons otherwise. */
export const serveHealth = (app: FastifyInstance, checks: Checks): void => {
  const note = createBatchHealth(app.log);
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
    const { isReady, said } = await look();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", ...said });
  });
};
