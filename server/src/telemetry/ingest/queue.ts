import { setTimeout as pause } from "node:timers/promises";
import { isInParts } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import { type Backlog, ownerOf } from "./backlog.ts";
import { readingsOf, type Submission } from "./submission.ts";

/** Most readings per batch; the rest waits for the next. */
export const batchLimit = 5_000;

/** The family that a message is of, by its master. */
export const familyOf = ({ devices: [device] }: Submission): number | undefined => device && ownerOf(device);

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

/** The messages that wait in a lane. */
export interface Queue {
  add(submission: Submission): void;
  isEmpty(): boolean;
  /** Takes the messages that are written next. Call each of `written` once they are. */
  next(): { batch: readonly Submission[]; written: readonly (() => void)[] };
  /** Takes these messages out; they no longer count towards the backlog. */
  remove(isTaken: (submission: Submission) => boolean): Submission[];
  /** Server time at which the oldest message was accepted; undefined when none waits. */
  oldestTs(): number | undefined;
  /** Readings that wait. */
  readings(): number;
}

interface Needs extends Pick<World, "clock"> {
  backlog: Pick<Backlog, "add">;
}

export const createQueue = ({ clock, backlog }: Needs): Queue => {
  let queue: Submission[] = [];
  /** Per queued message: releases its share of the backlog. */
  let counted: (() => void)[] = [];
  /** When each queued message was accepted. */
  let taken: number[] = [];
  let readings = 0;
  return {
    add: (submission) => {
      const { devices, channels, bytes = 0 } = submission;
      counted.push(backlog.add(devices[0], { readings: channels.length, bytes }));
      queue.push(submission);
      taken.push(clock.now());
      readings += channels.length;
    },
    isEmpty: () => queue.length === 0,
    next: () => {
      const batch = queue.slice(0, batchLength(queue));
      queue = queue.slice(batch.length);
      const written = counted.slice(0, batch.length);
      counted = counted.slice(batch.length);
      taken = taken.slice(batch.length);
      readings -= readingsOf(batch);
      return { batch, written };
    },
    remove: (isTaken) => {
      const stays = queue.map((submission) => !isTaken(submission));
      const removed = queue.filter(isTaken);
      for (const release of counted.filter((_, at) => !stays[at])) release();
      queue = queue.filter((_, at) => stays[at]);
      counted = counted.filter((_, at) => stays[at]);
      taken = taken.filter((_, at) => stays[at]);
      readings -= readingsOf(removed);
      return removed;
    },
    oldestTs: () => taken[0],
    readings: () => readings,
  };
};

/** Work that a lane does between two batches. */
interface Tasks {
  add(work: () => Promise<void>): void;
  isEmpty(): boolean;
  runAll(): Promise<void>;
  /** Waits before the next try of a batch. */
  rest(milliseconds: number): Promise<void>;
}

/** Creates the work of a lane; each piece runs once, in the order in which it was added. */
export const createTasks = (): Tasks => {
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
