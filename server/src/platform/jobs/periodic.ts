import type { World } from "../../world.ts";
import { withJobMetrics } from "./with-job-metrics.ts";

/** Work that is done again and again in the background, one run at a time. */
export interface PeriodicJob {
  start(): void;
  /** Waits for the run under way. */
  stop(): Promise<void>;
  /** Runs now, or gives the run that is under way. */
  run(): Promise<void>;
}

interface Needs {
  /** Milliseconds from one start to the next. */
  every: number;
  /** Does what is due; `isStopping` says when to leave the rest for the next time. */
  work: (isStopping: () => boolean) => Promise<void>;
  /** What the log says when it fails. */
  validationError: string;
  /** Its name on `/metrics`. */
  name: string;
  world: Pick<World, "log" | "metrics" | "clock">;
}

/** A job that looks for work every so often. What fails is logged and tried again the next time. */
export const createPeriodicJob = ({ every, work, validationError, name, world }: Needs): PeriodicJob => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;
  const once = withJobMetrics(world, name, () => work(() => isStopping));
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
        () => void run().catch((fault: unknown) => world.log.error({ err: fault }, validationError)),
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
