import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns memory that a burst (the start, an import of months) has left behind, when the server is quiet. */
export interface MemoryTender {
  start(): void;
  stop(): void;
}

/** Milliseconds. The first look comes soon, because starting leaves the most behind. */
const first = 5_000;
const every = 30_000;

/** Share of the time that the process was busy, above which it is not disturbed: a full collection takes about 0.1 s. */
const quiet = 0.1;
/** The heap may be this many times larger than what is in use. */
const slack = 1.35;

/** V8 keeps what it once had for a long time; a small box has other uses for it. */
const collector = (): ((options: { type: "major"; flavor: "last-resort" }) => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
};

export const createMemoryTender = (): MemoryTender => {
  const collect = collector();
  let timer: NodeJS.Timeout | undefined;
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  const look = (): void => {
    const since = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    const { total_heap_size: held, used_heap_size: used } = getHeapStatistics();
    if (since.utilization < quiet && held > used * slack) collect({ type: "major", flavor: "last-resort" });
    timer = setTimeout(look, every).unref();
  };
  return {
    start: () => {
      timer = setTimeout(look, first).unref();
    },
    stop: () => clearTimeout(timer),
  };
};
