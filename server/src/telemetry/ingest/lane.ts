import { createGathering, type GatheringNeeds } from "../../platform/node/gathering.ts";
import type { World } from "../../world.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import { type Beside, createAside } from "./aside.ts";
import { type Backlog, ownerOf, type WaitingStats } from "./backlog.ts";
import { touchedHours } from "./evaluate-batch.ts";
import { createQueue, createTasks } from "./queue.ts";
import { type Held, Outdated } from "./store.ts";
import { loadsOf, readingsOf, type Submission } from "./submission.ts";
import { type BatchNeeds, holding, reloadStale, type WrittenBatch, writeBatch } from "./write-batch.ts";

/**
 * First and longest retry delay after a failed batch, milliseconds. The longest is how much longer devices wait than the fault lasts: with two lanes a server, a
 * try a second is nothing for a database that does not answer.
 */
const retryDelay = { first: 100, longest: 1_000 } as const;

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
  /** Whether the messages of the device's family are set aside, so that the lane beside this one writes them. */
  isAside(device: KnownDevice): boolean;
  /** Server time at which the oldest queued message was accepted; undefined when none is queued. */
  oldestTs(): number | undefined;
  /** Resolves when the queue is empty. */
  rest(): Promise<void>;
  /** Whether nothing is queued or written. */
  isIdle(): boolean;
  /** State of its writing. */
  health(): LaneHealth;
  /** Readings that wait here and are being committed, batch after batch; 0 while batches fail or stand still. */
  flowing(): number;
}

export interface LaneHealth {
  /** Why the current batch has not been written yet. */
  fault?: unknown;
  /** Duration of the current batch, or of one within the last 10 seconds; milliseconds. */
  took: number;
}

/** How long the duration of a finished batch is reported, milliseconds. */
const memory = 10_000;

/** Without the end of a batch for this long, milliseconds, a lane stands still. */
const standstill = 100;

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
    isFlowing: (): boolean => fault === undefined && performance.now() - ended < standstill,
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
  /** Sets messages of a failed batch aside; returns the others, all if none is set aside. */
  setAside: (failed: readonly Submission[]) => readonly Submission[];
  /** Waits before the next try. */
  rest: (milliseconds: number) => Promise<void>;
}

export interface LaneNeeds extends BatchNeeds, Omit<GatheringNeeds, "node">, Pick<World, "log"> {
  /** Totals of all lanes. */
  stats: WriterStats;
  backlog: Backlog;
  beside?: Beside;
  onHours: (hours: ReadonlySet<number>) => void;
  /** Called for each commit with the duration of its transaction, seconds. */
  onCommit: (seconds: number) => void;
}

const dataFault = /^(22|23)/;

/** Whether the rows themselves are at fault (bad data, broken constraint), so that a retry cannot help. */
const isDataFault = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && dataFault.test(String(fault.code));

/** Whether one of its devices was loaded since it was looked up: another node may have committed it meanwhile. */
const isLookedUpBefore = ({ arrival, lookUp, devices }: Submission): boolean =>
  arrival !== undefined && lookUp !== undefined && lookUp.loads !== loadsOf(devices);

/**
 * The message with the time of its first arrival, if another node has committed it since it was looked up; undefined when its device has gone on
 * at another node, so that it is not to be stored here.
 */
const withFirstArrival = async (submission: Submission): Promise<Submission | undefined> => {
  const { arrival, lookUp, times, devices } = submission;
  if (!arrival || !lookUp || !isLookedUpBefore(submission)) return submission;
  const loads = loadsOf(devices);
  const ts = await lookUp.find();
  if (ts === undefined) return undefined;
  return {
    ...submission,
    // Readings with a time of their own may be in the same message.
    times: times.map((time) => (time === arrival.ts ? ts : time)),
    arrival: { ...arrival, ts },
    lookUp: { ...lookUp, loads },
  };
};

/** The messages with the times of their first arrivals, without those that are not to be stored here: these are done. */
const withFirstArrivals = async (submissions: readonly Submission[]): Promise<readonly Submission[]> => {
  // Nearly always: a promise for each message would cost as much as its evaluation.
  if (!submissions.some(isLookedUpBefore)) return submissions;
  const found = await Promise.all(submissions.map(withFirstArrival));
  // Only when all look-ups have succeeded: after a failed one all are looked up again, and a message is done once.
  for (const [at, { done }] of submissions.entries()) if (!found[at]) done("stopped");
  return found.filter((each) => each !== undefined);
};

/** Writes the messages: retries until the database answers; splits a batch with bad rows until they stand alone. */
const writeWithRetries = async (lane: WritingNeeds, accepted: readonly Submission[]): Promise<void> => {
  let submissions = accepted;
  let isOutdated = false;
  const write = async (held?: Held): Promise<WrittenBatch | undefined> => {
    // First the versions: what another node commits after they were loaded is found when the batch is written.
    await reloadStale(lane.registry, submissions);
    submissions = await withFirstArrivals(submissions);
    return submissions.length === 0 ? undefined : writeBatch(lane, submissions, held);
  };
  let delay: number = retryDelay.first;
  for (;;) {
    try {
      const written = await (isOutdated ? holding(lane, submissions, write) : write());
      if (written) countWritten(lane, written);
      return;
    } catch (fault) {
      isOutdated = fault instanceof Outdated;
      if (isOutdated) {
        lane.stats.outdatedBatches += 1;
        continue;
      }
      // The outcome is unknown: the batch may even have been committed. Its devices are reloaded and the readings evaluated again.
      for (const { devices } of submissions) for (const device of devices) device.isStale = true;
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
      const left = lane.setAside(submissions);
      if (left.length === 0) return;
      if (left.length === submissions.length) await lane.rest(delay);
      delay = Math.min(delay * 2, retryDelay.longest);
      submissions = [...left];
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

const countWritten = ({ stats, onHours, onCommit, clock }: LaneNeeds, { batch, committedIn }: WrittenBatch): void => {
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
  const tasks = createTasks();
  const queue = createQueue(needs);
  const aside = createAside(queue, needs.beside);
  let writing: number | undefined;
  let inBatch = 0;
  let running: Promise<void> | undefined;
  const batchHealth = createBatchHealth();
  const gathering = createGathering(needs);
  const run = async (): Promise<void> => {
    while (!queue.isEmpty() || !tasks.isEmpty()) {
      await gathering.wait();
      await tasks.runAll();
      writing = queue.oldestTs();
      const { batch, written } = queue.next();
      gathering.wrote(batch.length);
      if (batch.length > 0) {
        batchHealth.begin();
        inBatch = readingsOf(batch);
        await writeWithRetries({ ...needs, batchHealth, rest: tasks.rest, setAside: aside.setAside }, batch);
        batchHealth.end();
      }
      inBatch = 0;
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
      if (aside.take(submission)) return;
      queue.add(submission);
      wake();
    },
    between: (work) => {
      tasks.add(work);
      wake();
    },
    isAside: (device) => aside.has(ownerOf(device)),
    oldestTs: () => writing ?? queue.oldestTs(),
    rest: async () => running,
    isIdle: () => running === undefined,
    health: batchHealth.health,
    flowing: () => (batchHealth.isFlowing() ? queue.readings() + inBatch : 0),
  };
};
