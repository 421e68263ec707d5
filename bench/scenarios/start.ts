import { startServer } from "../../e2e/server-process.ts";
import { type Figure, fixed, ratio } from "../figure.ts";

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** Time from the start of the process until /readyz succeeds: on an empty data directory, and again on the resulting one. */
export const start = async (): Promise<Figure[]> => {
  const begin = performance.now();
  const server = await startServer({ demo: false, env: { LOG_LEVEL: "error" } });
  const first = (performance.now() - begin) / 1000;
  try {
    await server.kill9();
    const again = await secondsOf(server.restart);
    return [
      {
        name: "start to ready on an empty directory",
        goal: "<= 5 s",
        measured: fixed(first, 1, "s"),
        baseline: `after kill -9: ${fixed(again, 1, "s")}`,
        ratio: ratio(first, again),
      },
    ];
  } finally {
    await server.stop();
  }
};
