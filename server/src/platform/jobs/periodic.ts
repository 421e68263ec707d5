import type { World } from "../../world.ts";
import { soleJob, withJobMetrics } from "./with-job-metrics.ts";

/** Background work repeated at an interval, one run at a time. */
export interface PeriodicJob {
  start(): void;
  /** Waits for the current run. */
  stop(): Promise<void>;
  /** Runs now, or joins the current run. */
  run(): Promise<void>;
}

interface Needs {
  /** Interval in milliseconds. */
  every: number;
  /** Does what is due; `isStopping` tells when to leave the rest for the next run. */
  work: (isStopping: () => boolean) => Promise<void>;
  /** Log message when a run fails. */
  failureMessage: string;
  /** Job name on `/metrics`. */
  name: string;
  /** Looks whether there is anything to do; see `soleJob`. */
  isDue?: () => Promise<boolean>;
  /** Every node of a cluster does it for itself; otherwise one node at a time does it. */
  isOfEveryNode?: boolean;
  world: Pick<World, "log" | "metrics" | "clock" | "node">;
}

/** Creates a periodic job. A failed run is logged and retried at the next interval. */
export const createPeriodicJob = ({
  every,
  work,
  failureMessage,
  name,
  isDue,
  isOfEveryNode = false,
  world,
}: Needs): PeriodicJob => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;
  const workNow = () => work(() => isStopping);
  const once = isOfEveryNode ? withJobMetrics(world, name, workNow) : soleJob(world, name, workNow, undefined, isDue);
  const run = (): Promise<void> => {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    run,
    start: () => {
      timer = setInterval(
        () => void run().catch((fault: unknown) => world.log.error({ err: fault }, failureMessage)),
        every,
      );
      timer.unref();
    },
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
};
