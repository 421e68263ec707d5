import type { World } from "../../world.ts";
import type { Backlog, WaitingStats } from "./backlog.ts";
import { type EvaluatedBatch, touchedHours } from "./evaluate-batch.ts";
import type { Submission } from "./submission.ts";
import { type BatchNeeds, writeBatch } from "./write-batch.ts";

/** Most readings of one batch; more wait for the next. */
const batchLimit = 20_000;
/** First and longest wait after a failed batch, milliseconds. */
const retryDelay = { first: 100, longest: 5_000 } as const;

export interface WriterStats extends WaitingStats {
  readings: number;
  batches: number;
  failedBatches: number;
  raised: number;
  cleared: number;
  /** The server's time at the newest commit; 0 before the first. */
  committedTs: number;
  /** Messages that were given up at a stop, with their commit's outcome unknown. */
  abandoned: number;
}

/** Writes its devices' messages, a batch at a time and in their order. */
export interface Lane {
  take(submission: Submission): void;
  /** Runs `work` between two batches, so that nothing of this lane is written meanwhile. */
  between(work: () => Promise<void>): void;
  /** The server's time at which the oldest message that waits was taken; undefined when none does. */
  oldestTs(): number | undefined;
  /** Resolves when nothing waits. */
  rest(): Promise<void>;
  /** How its writing goes. */
  health(): LaneHealth;
}

export interface LaneHealth {
  /** Why the batch under way was not written yet. */
  fault?: unknown;
  /** How long the batch under way, or one of the last moments, has taken; milliseconds. */
  took: number;
}

/** For so long a batch that took its time is remembered, milliseconds. */
const memory = 10_000;

/** Notes how long batches take and what is wrong with the one under way. */
const createBatchHealth = () => {
  let [began, ended, took] = [Number.NaN, Number.NEGATIVE_INFINITY, 0];
  let fault: unknown;
  return {
    begin: () => {
      began = performance.now();
    },
    failed: (why: unknown) => {
      fault = why;
    },
    end: () => {
      ended = performance.now();
      [took, began, fault] = [ended - began, Number.NaN, undefined];
    },
    health: (): LaneHealth => {
      const now = performance.now();
      const underWay = Number.isNaN(began) ? 0 : now - began;
      return { fault, took: Math.max(underWay, now - ended < memory ? took : 0) };
    },
  };
};

type BatchHealth = ReturnType<typeof createBatchHealth>;

interface WritingNeeds extends LaneNeeds {
  batchHealth: BatchHealth;
}

export interface LaneNeeds extends BatchNeeds, Pick<World, "log"> {
  /** Sums over all lanes. */
  stats: WriterStats;
  backlog: Backlog;
  isStopping: () => boolean;
  onHours: (hours: ReadonlySet<number>) => void;
}

const dataFault = /^(22|23)/;

/** Whether the rows themselves are at fault (bad data, broken constraint), so that trying again cannot help. */
const isDataFault = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && dataFault.test(String(fault.code));

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Writes the messages: a database that is away is waited for, a batch with bad rows is split until they stand alone. */
const writeSurely = async (lane: WritingNeeds, submissions: readonly Submission[]): Promise<void> => {
  for (let delay: number = retryDelay.first; ; delay = Math.min(delay * 2, retryDelay.longest)) {
    try {
      return noteWritten(lane, await writeBatch(lane, submissions));
    } catch (fault) {
      lane.stats.failedBatches += 1;
      lane.batchHealth.failed(fault);
      // What the database holds is not known now: it may even have committed. Everything is loaded and judged again.
      for (const { devices } of submissions) for (const device of devices) device.isStale = true;
      lane.log.error({ err: fault, messages: submissions.length }, "A batch of readings was not written");
      if (isDataFault(fault)) return split(lane, submissions);
      if (lane.isStopping()) {
        lane.stats.abandoned += submissions.length;
        for (const submission of submissions) submission.done("stopped");
        return;
      }
      await pause(delay);
    }
  }
};

const split = async (lane: WritingNeeds, submissions: readonly Submission[]): Promise<void> => {
  if (submissions.length === 1) {
    submissions[0]?.done("refused");
    return;
  }
  const middle = submissions.length >> 1;
  await writeSurely(lane, submissions.slice(0, middle));
  await writeSurely(lane, submissions.slice(middle));
};

/** The longest beginning of the queue that stays within the batch limit; at least one message. */
const batchLength = (queue: readonly Submission[]): number => {
  let readings = 0;
  let count = 0;
  while (count < queue.length && (count === 0 || readings < batchLimit))
    readings += queue[count++]?.channels.length ?? 0;
  return count;
};

const noteWritten = ({ stats, onHours, clock }: LaneNeeds, batch: EvaluatedBatch): void => {
  stats.batches += 1;
  stats.committedTs = clock.now();
  stats.readings += batch.channelIds.length;
  stats.raised += batch.raised.length;
  stats.cleared += batch.cleared.length + batch.raised.filter((alert) => alert.clearedTs !== null).length;
  onHours(touchedHours(batch));
};

/** Readings → one transaction a batch → acknowledgements and live events. While a batch is written the next one grows. */
export const createLane = (needs: LaneNeeds): Lane => {
  const { backlog } = needs;
  const tasks: (() => Promise<void>)[] = [];
  let queue: Submission[] = [];
  /** Ends the count of each as waiting. */
  let counted: (() => void)[] = [];
  /** When each of the queue was taken, and the first of the batch that is being written. */
  let taken: number[] = [];
  let writing: number | undefined;
  let running: Promise<void> | undefined;
  const batchHealth = createBatchHealth();

  const run = async (): Promise<void> => {
    while (queue.length > 0 || tasks.length > 0) {
      for (const task of tasks.splice(0)) await task();
      const batch = queue.slice(0, batchLength(queue));
      queue = queue.slice(batch.length);
      const written = counted.slice(0, batch.length);
      counted = counted.slice(batch.length);
      writing = taken[0];
      taken = taken.slice(batch.length);
      if (batch.length > 0) {
        batchHealth.begin();
        await writeSurely({ ...needs, batchHealth }, batch);
        batchHealth.end();
      }
      writing = undefined;
      for (const isWritten of written) isWritten();
    }
    running = undefined;
  };

  // What arrives in the same turn of the event loop goes into one batch.
  const wake = (): void => {
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(run);
  };

  return {
    take: (submission) => {
      counted.push(
        backlog.add(submission.devices[0], { readings: submission.channels.length, bytes: submission.bytes ?? 0 }),
      );
      queue.push(submission);
      taken.push(needs.clock.now());
      wake();
    },
    between: (work) => {
      tasks.push(work);
      wake();
    },
    oldestTs: () => writing ?? taken[0],
    rest: async () => running,
    health: batchHealth.health,
  };
};
