import { Counter, Gauge } from "prom-client";
import type { World } from "../../world.ts";

const lastName = "telltale_job_last_success_timestamp_seconds";
const failedName = "telltale_job_failures_total";

/** The two job metrics, created once per registry. */
const metricsIn = (registry: World["metrics"]) => {
  const registers = [registry];
  const labelNames = ["job"] as const;
  const [last, failed] = [registry.getSingleMetric(lastName), registry.getSingleMetric(failedName)];
  return {
    last:
      last instanceof Gauge
        ? last
        : new Gauge({
            name: lastName,
            help: "When a background job last came to its end, in seconds since the epoch",
            labelNames,
            registers,
          }),
    failed:
      failed instanceof Counter
        ? failed
        : new Counter({
            name: failedName,
            help: "Runs of background jobs that failed; the log says why",
            labelNames,
            registers,
          }),
  };
};

/** Which time is the last success of a job one of whose runs has succeeded now. */
export type LastSuccess = (now: number) => number;

/**
 * Returns for each part of a job, which run on their own, what the job's last success is: that of the part which has succeeded least recently, so that
 * parts that go on do not hide one that fails.
 */
export const leastRecentOf = (parts: number): LastSuccess[] => {
  let successes: number[] | undefined;
  return Array.from({ length: parts }, (_, part) => (now) => {
    // A part that has failed since the start has succeeded no later than the first of the others.
    successes ??= Array.from({ length: parts }, () => now);
    successes[part] = now;
    return Math.min(...successes);
  });
};

const ofThisRun: LastSuccess = (now) => now;

/** Wraps a job so that `/metrics` shows its last success and its number of failures. */
export const withJobMetrics = <Given extends unknown[], T>(
  { metrics, clock }: Pick<World, "metrics" | "clock">,
  job: string,
  work: (...given: Given) => Promise<T>,
  lastSuccess = ofThisRun,
): ((...given: Given) => Promise<T>) => {
  const { last, failed } = metricsIn(metrics);
  failed.inc({ job }, 0);
  return async (...given) => {
    try {
      const result = await work(...given);
      last.set({ job }, lastSuccess(clock.now()) / 1000);
      return result;
    } catch (fault) {
      failed.inc({ job });
      throw fault;
    }
  };
};

const always = async (): Promise<boolean> => true;

/**
 * Wraps a job that one node of a cluster runs at a time, with its metrics. The function returns `otherwise` while another node runs it; then the last
 * success is on that node's `/metrics`. `isDue`: a look that costs less than the work, which is left out when there is nothing to do; when it fails, the
 * work is tried.
 */
export const soleJob = <Given extends unknown[], T>(
  world: Pick<World, "metrics" | "clock" | "node">,
  job: string,
  work: (...given: Given) => Promise<T>,
  otherwise: T,
  isDue = always,
): ((...given: Given) => Promise<T>) => {
  const once = withJobMetrics(world, job, work);
  const nothing = withJobMetrics(world, job, async () => otherwise);
  return async (...given) => {
    if (!(await isDue().catch(always))) return nothing();
    let result = otherwise;
    await world.node.alone(job, async () => {
      result = await once(...given);
    });
    return result;
  };
};
