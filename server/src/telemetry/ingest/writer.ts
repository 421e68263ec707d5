import { plainReason } from "../../platform/log.ts";
import type { World } from "../../world.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import { createBacklog, type Load } from "./backlog.ts";
import { createLane, type Lane, type WriterStats } from "./lane.ts";
import type { Submission } from "./submission.ts";
import type { BatchNeeds } from "./write-batch.ts";

/** Batches written side by side: while the database works on one, the next is judged. */
const laneCount = 2;

export interface Writer {
  /** Takes a message; its `done` is called after the commit, or at once with "stopped" when too much waits already. */
  submit(submission: Submission): void;
  /** Whether no message of the device is taken: what waits is limited, of all devices and of each. */
  isFull(device: KnownDevice): boolean;
  /** Whether few enough readings wait for a message of the device to be decoded. */
  hasRoom(device: KnownDevice): boolean;
  /** Resolves when there is room; false when the writer stops. */
  room(device: KnownDevice): Promise<boolean>;
  /** Counts what a message takes that waits to be submitted; the function given back ends that. */
  hold(device: KnownDevice, load: Load): () => void;
  /** Runs `work` between two batches, so that nothing is written meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Called with the hours (since the epoch) that a commit touched. */
  onHours(listener: (hours: ReadonlySet<number>) => void): void;
  stats: Readonly<WriterStats>;
  /** The server's time at which the oldest message that waits for its commit was taken; undefined when none does. */
  oldestTs(): number | undefined;
  /** A check: throws while readings can't be stored; says in words that storing them takes long. */
  check(): Promise<string | undefined>;
  /** Does `work` when, at a stop, everything that waited is written; not when the outcome of a commit is unknown. */
  onRest(work: () => Promise<void>): void;
  /** Writes what waits, then rests. */
  stop(): Promise<void>;
}

/** A batch that takes longer is told to whoever asks how the server does, milliseconds. Devices over HTTP give up a little later. */
const slowFrom = 3_000;

const checkLanes = (lanes: readonly Lane[]): string | undefined => {
  const states = lanes.map((lane) => lane.health());
  for (const { fault } of states)
    if (fault !== undefined) throw new Error(`Readings are not stored: ${plainReason(fault)}`);
  const took = Math.max(...states.map((state) => state.took));
  return took > slowFrom ? `slow: the database takes ${(took / 1000).toFixed(1)} s for a batch of readings` : undefined;
};

/** A master and its sub-devices share a lane, since a message of the master's may be about all of them: what is said of one device stays in order. */
const laneOf = ({ parentDeviceId, deviceId }: KnownDevice): number => (parentDeviceId ?? deviceId) % laneCount;

const noStats: WriterStats = {
  readings: 0,
  batches: 0,
  failedBatches: 0,
  waiting: 0,
  waitingReadings: 0,
  waitingBytes: 0,
  raised: 0,
  cleared: 0,
  committedTs: 0,
  abandoned: 0,
};

/** Readings → batches → acknowledgements, in a few lanes side by side. */
export const createWriter = (needs: BatchNeeds & Pick<World, "log">): Writer => {
  const stats = { ...noStats };
  const backlog = createBacklog(stats);
  const lastWorks: (() => Promise<void>)[] = [];
  const listeners: ((hours: ReadonlySet<number>) => void)[] = [];
  let isStopping = false;
  const onHours = (hours: ReadonlySet<number>): void => {
    for (const listener of listeners) listener(hours);
  };
  const lanes = Array.from({ length: laneCount }, () =>
    createLane({ ...needs, stats, backlog, onHours, isStopping: () => isStopping }),
  );
  return {
    submit: (submission) => {
      const [device] = submission.devices;
      if (backlog.isFull(device)) submission.done("stopped");
      else lanes[device ? laneOf(device) : 0]?.take(submission);
    },
    isFull: backlog.isFull,
    hasRoom: backlog.hasRoom,
    room: async (device) => {
      while (!isStopping && !backlog.hasRoom(device)) await backlog.less();
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
      // Asked of every lane in the same turn, so that two callers never hold one lane each.
      await Promise.all(lanes.map(hold));
      try {
        return await work();
      } finally {
        release();
      }
    },
    onHours: (listener) => listeners.push(listener),
    stats,
    oldestTs: () => {
      const waiting = lanes.flatMap((lane) => lane.oldestTs() ?? []);
      return waiting.length > 0 ? Math.min(...waiting) : undefined;
    },
    check: async () => checkLanes(lanes),
    onRest: (work) => lastWorks.push(work),
    stop: async () => {
      isStopping = true;
      backlog.wakeAll();
      await Promise.all(lanes.map((lane) => lane.rest()));
      // Without it the next start takes the end for a kill, and believes more.
      if (stats.abandoned === 0)
        await Promise.all(lastWorks.map((work) => work())).catch((fault: unknown) =>
          needs.log.warn({ err: fault }, "The stop in order could not be noted"),
        );
    },
  };
};
