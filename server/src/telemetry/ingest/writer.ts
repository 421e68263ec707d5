import { plainReason } from "../../platform/log.ts";
import { serverCount, serverOf } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import { createBacklog, type Load } from "./backlog.ts";
import { createLane, type Lane, type WriterStats } from "./lane.ts";
import type { Submission } from "./submission.ts";
import type { BatchNeeds } from "./write-batch.ts";

/**
 * Number of concurrent batches on each server that keeps readings: while the database works on one, the next is evaluated. A server that is lost thus
 * holds up only its own devices.
 */
const lanesPerServer = 2;

export interface Writer {
  /** Queues a message; its `done` is called after the commit, or at once with "stopped" when the backlog is full. */
  submit(submission: Submission): void;
  /** Whether messages of the device are rejected: the backlog is limited in total and per device. */
  isFull(device: KnownDevice): boolean;
  /** Whether there is room to decode another message of the device. */
  hasRoom(device: KnownDevice): boolean;
  /** Resolves when there is room; with false when the writer stops. */
  waitForRoom(device: KnownDevice): Promise<boolean>;
  /** Counts a message that waits to be submitted; call the returned function at its end. */
  hold(device: KnownDevice, load: Load): () => void;
  /** Runs `work` between two batches, so that no lane writes meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
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

/** Duration from which a batch is reported as slow, milliseconds. Devices over HTTP time out a little later. */
const slowFrom = 3_000;

const checkLanes = (lanes: readonly Lane[]): string | undefined => {
  const states = lanes.map((lane) => lane.health());
  const failed = states.filter(({ fault }) => fault !== undefined);
  const servers = new Set(
    states.flatMap(({ fault }, lane) => (fault === undefined ? [] : [Math.floor(lane / lanesPerServer)])),
  );
  if (failed[0]) {
    const why = plainReason(failed[0].fault);
    if (servers.size === serverCount()) throw new Error(`Readings are not stored: ${why}`);
    return `readings of some devices are not stored: ${why}`;
  }
  const took = Math.max(...states.map((state) => state.took));
  return took > slowFrom ? `slow: the database takes ${(took / 1000).toFixed(1)} s for a batch of readings` : undefined;
};

/** A master and its sub-devices share a lane, since one message may concern all of them: this keeps the order per device. */
const laneOf = ({ parentDeviceId, deviceId }: KnownDevice): number => {
  const id = parentDeviceId ?? deviceId;
  return serverOf(id) * lanesPerServer + (id % lanesPerServer);
};

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
  const lanes = Array.from({ length: serverCount() * lanesPerServer }, () =>
    createLane({ ...needs, stats, backlog, onHours: hours.call, onCommit: commits.call, isStopping: () => isStopping }),
  );
  return {
    submit: (submission) => {
      const [device] = submission.devices;
      if (backlog.isFull(device)) submission.done("stopped");
      else lanes[device ? laneOf(device) : 0]?.take(submission);
    },
    isFull: backlog.isFull,
    hasRoom: backlog.hasRoom,
    waitForRoom: async (device) => {
      while (!isStopping && !backlog.hasRoom(device)) await backlog.waitForLess();
      return !isStopping;
    },
    hold: backlog.hold,
    exclusively: async (work) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const hold = (lane: Lane) =>
        new Promise<void>((resolve) =>
          lane.between(() => {
            resolve();
            return released;
          }),
        );
      // Requested from every lane in the same turn, so that two callers never hold one lane each.
      await Promise.all(lanes.map(hold));
      try {
        return await work();
      } finally {
        release();
      }
    },
    onHours: hours.add,
    onCommit: commits.add,
    stats,
    oldestTs: () => {
      const waiting = lanes.flatMap((lane) => lane.oldestTs() ?? []);
      return waiting.length > 0 ? Math.min(...waiting) : undefined;
    },
    check: async () => checkLanes(lanes),
    onCleanStop: (work) => cleanStopWork.push(work),
    stop: async () => {
      isStopping = true;
      backlog.wakeAll();
      await Promise.all(lanes.map((lane) => lane.rest()));
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
