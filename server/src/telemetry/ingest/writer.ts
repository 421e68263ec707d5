import type { World } from "../../world.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import { createBacklog, type Load } from "./backlog.ts";
import type { WriterStats } from "./lane.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { batchLimit } from "./queue.ts";
import type { Submission } from "./submission.ts";
import type { BatchNeeds } from "./write-batch.ts";

export interface Writer {
  /** Queues a message; its `done` is called after the commit, or at once with "stopped" when the backlog is full. */
  submit(submission: Submission): void;
  /** Whether messages of the device are rejected: the backlog is limited in total and per device. */
  isFull(device: KnownDevice): boolean;
  /** Whether there is room to decode another message of the device. */
  hasRoom(device: KnownDevice): boolean;
  /**
   * Whether a batch's worth of readings waits where batches are being committed: until then reading more would only let it wait here. What stands still
   * does not count, so that connections are heard meanwhile, and those of other devices read.
   */
  isSupplied(): boolean;
  /** Resolves when there is room; with false when the writer stops. */
  waitForRoom(device: KnownDevice): Promise<boolean>;
  /** Counts a message that waits to be submitted; call the returned function at its end. */
  hold(device: KnownDevice, load: Load): () => void;
  /** See `Lanes`. */
  exclusively: Lanes["exclusively"];
  /** See `Lanes`. */
  placeOf: Lanes["placeOf"];
  /** Registers a listener for the hours (since the epoch) that a commit touched. */
  onHours(listener: (hours: ReadonlySet<number>) => void): void;
  /** Registers a listener for the duration of each commit's transaction, seconds. */
  onCommit(listener: (seconds: number) => void): void;
  stats: Readonly<WriterStats>;
  /** Server time at which the oldest queued message was accepted; undefined when none is queued. */
  oldestTs(): number | undefined;
  /** Readiness check: throws while readings cannot be stored; returns a message when storing them is slow. */
  check(): Promise<string | undefined>;
  /** Registers work for a clean stop, run after everything queued is written; skipped when the outcome of a commit is unknown. */
  onCleanStop(work: () => Promise<void>): void;
  /** Writes what is queued, then stops. */
  stop(): Promise<void>;
}

const noStats: WriterStats = {
  readings: 0,
  batches: 0,
  failedBatches: 0,
  outdatedBatches: 0,
  waiting: 0,
  waitingReadings: 0,
  waitingBytes: 0,
  raised: 0,
  cleared: 0,
  committedTs: 0,
  abandoned: 0,
};

const createListeners = <T>() => {
  const listeners: ((value: T) => void)[] = [];
  return {
    add: (listener: (value: T) => void) => void listeners.push(listener),
    call: (value: T): void => {
      for (const listener of listeners) listener(value);
    },
  };
};

/** Creates the writer: readings → batches → acknowledgements, in parallel lanes. */
export const createWriter = (needs: BatchNeeds & Pick<World, "log">): Writer => {
  const stats = { ...noStats };
  const backlog = createBacklog(stats);
  const cleanStopWork: (() => Promise<void>)[] = [];
  const hours = createListeners<ReadonlySet<number>>();
  const commits = createListeners<number>();
  let isStopping = false;
  const isSupplied = (): boolean => lanes.all.reduce((sum, lane) => sum + lane.flowing(), 0) > batchLimit;
  const events = { onHours: hours.call, onCommit: commits.call, isStopping: () => isStopping, isSupplied };
  const lanes = createLanes({ ...needs, ...events, stats, backlog });
  return {
    submit: (submission) => {
      const [device] = submission.devices;
      if (backlog.isFull(device)) submission.done("stopped");
      else lanes.of(device).take(submission);
    },
    isFull: backlog.isFull,
    hasRoom: backlog.hasRoom,
    isSupplied,
    waitForRoom: async (device) => {
      while (!isStopping && !backlog.hasRoom(device)) await backlog.waitForLess();
      return !isStopping;
    },
    hold: backlog.hold,
    exclusively: lanes.exclusively,
    placeOf: lanes.placeOf,
    onHours: hours.add,
    onCommit: commits.add,
    stats,
    oldestTs: () => {
      const waiting = lanes.all.flatMap((lane) => lane.oldestTs() ?? []);
      return waiting.length > 0 ? Math.min(...waiting) : undefined;
    },
    check: async () => lanes.check(),
    onCleanStop: (work) => cleanStopWork.push(work),
    stop: async () => {
      isStopping = true;
      backlog.wakeAll();
      await Promise.all(lanes.all.map((lane) => lane.rest()));
      // Without it the next start assumes that the server was killed, and accepts more messages as resends.
      if (stats.abandoned === 0)
        await Promise.all(cleanStopWork.map((work) => work())).catch((fault: unknown) =>
          needs.log.warn(
            { err: fault },
            "Could not record the clean shutdown; the next start treats it as a crash and may take new readings for resends",
          ),
        );
    },
  };
};
