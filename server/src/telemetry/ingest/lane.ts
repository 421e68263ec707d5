import { setTimeout as pause } from "node:timers/promises";
import { isInParts } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { Backlog, WaitingStats } from "./backlog.ts";
import { touchedHours } from "./evaluate-batch.ts";
import { Outdated } from "./store.ts";
import { loadsOf, type Submission } from "./submission.ts";
import { type BatchNeeds, reloadStale, writeBatch } from "./write-batch.ts";

/** Work that a lane does between two batches. */
interface Tasks {
  add(work: () => Promise<void>): void;
  isEmpty(): boolean;
  runAll(): Promise<void>;
  /** Waits before the next try of a batch. */
  rest(milliseconds: number): Promise<void>;
}

const createTasks = (): Tasks => {
  const tasks: (() => Promise<void>)[] = [];
  let interrupt: () => void = () => undefined;
  const runAll = async (): Promise<void> => {
    for (const task of tasks.splice(0)) await task();
  };
  // A lane whose server is lost writes nothing between two tries: work that holds all lanes, and would hold the others until it can run, runs then.
  const restInParts = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0; left = until - performance.now()) {
      const { promise: interrupted, resolve } = Promise.withResolvers<void>();
      interrupt = resolve;
      if (tasks.length === 0) await Promise.race([pause(left), interrupted]);
      await runAll();
    }
  };
  return {
    add: (work) => {
      tasks.push(work);
      interrupt();
    },
    isEmpty: () => tasks.length === 0,
    runAll,
    rest: (milliseconds) => (isInParts() ? restInParts(milliseconds) : pause(milliseconds)),
  };
};

/** Most readings per batch; the rest waits for the next. */
const batchLimit = 5_000;
/** First and longest retry delay after a failed batch, milliseconds. */
const retryDelay = { first: 100, longest: 5_000 } as const;

export interface WriterStats extends WaitingStats {
  readings: number;
  batches: number;
  failedBatches: number;
  /** Batches evaluated again because settings or another writer had changed a device meanwhile. */
  outdatedBatches: number;
  raised: number;
  cleared: number;
  /** Server time of the last commit; 0 before the first. */
  committedTs: number;
  /** Messages dropped at a stop with unknown commit outcome. */
  abandoned: number;
}

/** Writes its devices' messages in order, one batch at a time. */
export interface Lane {
  take(submission: Submission): void;
  /** Runs `work` between two batches, so that this lane writes nothing meanwhile. */
  between(work: () => Promise<void>): void;
  /** Server time at which the oldest queued message was accepted; undefined when none is queued. */
  oldestTs(): number | undefined;
  /** Resolves when the queue is empty. */
  rest(): Promise<void>;
  /** State of its writing. */
  health(): LaneHealth;
}

export interface LaneHealth {
  /** Why the current batch has not been written yet. */
  fault?: unknown;
  /** Duration of the current batch, or of one within the last 10 seconds; milliseconds. */
  took: number;
}

/** How long the duration of a finished batch is reported, milliseconds. */
const memory = 10_000;

/** Tracks batch duration and the current failure. */
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
      const elapsed = Number.isNaN(began) ? 0 : now - began;
      return { fault, took: Math.max(elapsed, now - ended < memory ? took : 0) };
    },
  };
};

type BatchHealth = ReturnType<typeof createBatchHealth>;

interface WritingNeeds extends LaneNeeds {
  batchHealth: BatchHealth;
  /** Waits before the next try. */
  rest: (milliseconds: number) => Promise<void>;
}

export interface LaneNeeds extends BatchNeeds, Pick<World, "log"> {
  /** Totals of all lanes. */
  stats: WriterStats;
  backlog: Backlog;
  isStopping: () => boolean;
  onHours: (hours: ReadonlySet<number>) => void;
  /** Called for each commit with the duration of its transaction, seconds. */
  onCommit: (seconds: number) => void;
}

const dataFault = /^(22|23)/;

/** Whether the rows themselves are at fault (bad data, broken constraint), so that a retry cannot help. */
const isDataFault = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && dataFault.test(String(fault.code));

/**
 * The message with the time of its first arrival, if another node has committed it since it was looked up; undefined when it is done, because its device
 * has gone on at another node.
 */
const withFirstArrival = async (submission: Submission): Promise<Submission | undefined> => {
  const { arrival, lookUp, times, devices } = submission;
  if (!arrival || !lookUp) return submission;
  const loads = loadsOf(devices);
  if (lookUp.loads === loads) return submission;
  const ts = await lookUp.find();
  if (ts === undefined) {
    submission.done("stopped");
    return undefined;
  }
  return {
    ...submission,
    // Readings with a time of their own may be in the same message.
    times: times.map((time) => (time === arrival.ts ? ts : time)),
    arrival: { ...arrival, ts },
    lookUp: { ...lookUp, loads },
  };
};

/** Writes the messages: retries until the database answers; splits a batch with bad rows until they stand alone. */
const writeWithRetries = async (lane: WritingNeeds, accepted: readonly Submission[]): Promise<void> => {
  let submissions = accepted;
  for (let delay: number = retryDelay.first; ; delay = Math.min(delay * 2, retryDelay.longest)) {
    try {
      // First the versions: what another node commits after they were loaded is found when the batch is written.
      await reloadStale(lane.registry, submissions);
      submissions = (await Promise.all(submissions.map(withFirstArrival))).filter((each) => each !== undefined);
      if (submissions.length === 0) return;
      return countWritten(lane, await writeBatch(lane, submissions));
    } catch (fault) {
      // The outcome is unknown: the batch may even have been committed. Its devices are reloaded and the readings evaluated again.
      for (const { devices } of submissions) for (const device of devices) device.isStale = true;
      if (fault instanceof Outdated) {
        lane.stats.outdatedBatches += 1;
        continue;
      }
      lane.stats.failedBatches += 1;
      lane.batchHealth.failed(fault);
      lane.log.error(
        { err: fault, messages: submissions.length },
        "Could not write a batch of readings; its devices get no acknowledgement until a retry succeeds",
      );
      if (isDataFault(fault)) return split(lane, submissions);
      if (lane.isStopping()) {
        lane.stats.abandoned += submissions.length;
        for (const submission of submissions) submission.done("stopped");
        return;
      }
      await lane.rest(delay);
    }
  }
};

const split = async (lane: WritingNeeds, submissions: readonly Submission[]): Promise<void> => {
  if (submissions.length === 1) {
    submissions[0]?.done("refused");
    return;
  }
  const middle = submissions.length >> 1;
  await writeWithRetries(lane, submissions.slice(0, middle));
  await writeWithRetries(lane, submissions.slice(middle));
};

/**
 * Length of the queue prefix that is written at once: up to the batch limit, but at least one message, and on to the last of those that a device has
 * sent together. These are acknowledged together, by one system call.
 */
const batchLength = (queue: readonly Submission[]): number => {
  let readings = 0;
  let count = 0;
  const isSentTogether = () => readings < 2 * batchLimit && queue[count]?.devices[0] === queue[count - 1]?.devices[0];
  while (count < queue.length && (count === 0 || readings < batchLimit || isSentTogether()))
    readings += queue[count++]?.channels.length ?? 0;
  return count;
};

const countWritten = (
  { stats, onHours, onCommit, clock }: LaneNeeds,
  { batch, committedIn }: Awaited<ReturnType<typeof writeBatch>>,
): void => {
  onCommit(committedIn);
  stats.batches += 1;
  stats.committedTs = clock.now();
  stats.readings += batch.channels.length;
  stats.raised += batch.raised.length;
  stats.cleared += batch.cleared.length + batch.raised.filter((alert) => alert.clearedTs !== null).length;
  onHours(touchedHours(batch));
};

/** Creates a lane: messages → one transaction per batch → acknowledgements and live events. While a batch is written the next one grows. */
export const createLane = (needs: LaneNeeds): Lane => {
  const { backlog } = needs;
  const tasks = createTasks();
  let queue: Submission[] = [];
  /** Per queued message: releases its share of the backlog. */
  let counted: (() => void)[] = [];
  /** When each queued message was accepted; `writing` is that of the first message in the current batch. */
  let taken: number[] = [];
  let writing: number | undefined;
  let running: Promise<void> | undefined;
  const batchHealth = createBatchHealth();
  const run = async (): Promise<void> => {
    while (queue.length > 0 || !tasks.isEmpty()) {
      await tasks.runAll();
      const batch = queue.slice(0, batchLength(queue));
      queue = queue.slice(batch.length);
      const written = counted.slice(0, batch.length);
      counted = counted.slice(batch.length);
      writing = taken[0];
      taken = taken.slice(batch.length);
      if (batch.length > 0) {
        batchHealth.begin();
        await writeWithRetries({ ...needs, batchHealth, rest: tasks.rest }, batch);
        batchHealth.end();
      }
      writing = undefined;
      for (const isWritten of written) isWritten();
    }
    running = undefined;
  };

  // Messages that arrive in the same turn of the event loop go into one batch.
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
      tasks.add(work);
      wake();
    },
    oldestTs: () => writing ?? taken[0],
    rest: async () => running,
    health: batchHealth.health,
  };
};
