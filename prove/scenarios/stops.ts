import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { runTrial, type Trial } from "../trial.ts";

/** Maximum duration of a stop, milliseconds. */
const limit = 10_000;

const stopAgain = async ({ server, fleet }: Trial, times: number): Promise<Finding[]> => {
  const ends: { took: number; code: number | null }[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    await fleet.eachHas(200);
    const began = performance.now();
    const code = await server.terminate();
    ends.push({ took: performance.now() - began, code });
    await server.restart();
  }
  await fleet.eachHas(10);
  const worst = Math.max(...ends.map(({ took }) => took));
  const codes = ends.map(({ code }) => code);
  return [
    {
      promise: "A stop takes at most 10 s, with exit code 0",
      counted: `${count(times, "stops")}, the longest ${(worst / 1000).toFixed(1)} s, exit codes ${[...new Set(codes)].join(", ")}`,
      isKept: worst < limit && codes.every((code) => code === 0),
    },
  ];
};

export const stops: Scenario = {
  title: "Graceful stop",
  does: "The server is stopped (SIGTERM) under full load 5 times, and restarted each time. No acknowledged reading may be lost, and every message must be stored in the end.",
  run: (scale) => runTrial((trial) => stopAgain(trial, scaled(5, scale))),
};
