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
      promise: "A stop takes 10 s at most and ends with code 0",
      counted: `${count(times, "stops")}, the longest ${(worst / 1000).toFixed(1)} s, exit codes ${[...new Set(codes)].join(", ")}`,
      isKept: worst < limit && codes.every((code) => code === 0),
    },
  ];
};

export const stops: Scenario = {
  title: "Graceful stop",
  does: "The server is told to stop (SIGTERM) under full load 5 times, and started again each time. What was acknowledged before the end must be there, and nothing else may be missing in the end.",
  run: (scale) => runTrial((trial) => stopAgain(trial, scaled(5, scale))),
};
