import type { FastifyInstance } from "fastify";

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

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

interface State {
  isReady: boolean;
  said: Record<string, string>;
}

const stateOf = async (checks: Checks): Promise<State> => {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const passed = (words = "ok") => ({ name, isReady: true, words });
      return inTime(check).then(passed, (fault) => ({ name, isReady: false, words: reasonOf(fault) }));
    }),
  );
  const isReady = results.every((each) => each.isReady);
  return { isReady, said: Object.fromEntries(results.map(({ name, words }) => [name, words])) };
};

/** `/healthz`: the process answers. `/readyz`: 200 when every check passes, 503 with the reasons otherwise. */
export const serveHealth = (app: FastifyInstance, checks: Checks): void => {
  let last: Promise<State> | undefined;
  const forget = (): void => {
    last = undefined;
  };
  const look = (): Promise<State> => {
    last ??= stateOf(checks).finally(() => setTimeout(forget, memory).unref());
    return last;
  };
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const { isReady, said } = await look();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", ...said });
  });
};
