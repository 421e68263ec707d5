import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns memory left over from bursts (the start, an import of months) while the server is idle. */
export interface MemoryReclaimer {
  start(): void;
  stop(): void;
}

/** Milliseconds. The first check comes soon, because the start leaves the most garbage. */
const first = 5_000;
const every = 30_000;

/** Event loop utilization above which no collection is run: a full one takes about 0.1 s. */
const quiet = 0.1;
/** Ratio of heap size to used heap from which a collection is run. */
const slack = 1.35;

/** V8 keeps freed memory for a long time; on a small machine other processes need it. */
const collector = (): ((options: { type: "major"; flavor: "last-resort" }) => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
};

export const createMemoryReclaimer = (): MemoryReclaimer => {
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
