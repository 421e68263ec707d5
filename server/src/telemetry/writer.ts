import { LiveCommand } from "@telltale/contract/live";
import { inTransaction } from "../database/transaction.ts";
import type { World } from "../world.ts";
import { adoptDrafts, dropDrafts, type JudgedBatch, judgeBatch } from "./judge.ts";
import type { KnownDevice } from "./known-device.ts";
import type { Registry } from "./registry.ts";
import { storeBatch } from "./store.ts";
import type { Submission } from "./submission.ts";

/** Most readings of one batch; more wait for the next. */
const batchLimit = 20_000;
/** Most readings that may wait; a message beyond is not taken, so that memory stays bounded while the database is away. */
const waitingLimit = 500_000;
/** First and longest wait after a failed batch, milliseconds. */
const retryDelay = { first: 100, longest: 5_000 } as const;

export interface WriterStats {
  readings: number;
  batches: number;
  failedBatches: number;
  /** Messages that wait for their commit, and their readings. */
  waiting: number;
  waitingReadings: number;
  raised: number;
  cleared: number;
}

export interface Writer {
  /** Takes a message; its `done` is called after the commit. */
  submit(submission: Submission): void;
  /** Runs `work` between two batches, so that nothing is written meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Called with the hours (since the epoch) that a commit touched. */
  onHours(listener: (hours: ReadonlySet<number>) => void): void;
  stats: Readonly<WriterStats>;
  /** Writes what waits, then rests. */
  stop(): Promise<void>;
}

interface Needs extends Pick<World, "pool" | "bus" | "clock" | "log"> {
  registry: Registry;
}

const dataFault = /^(22|23)/;

/** Whether the rows themselves are at fault (bad data, broken constraint), so that trying again cannot help. */
const isDataFault = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && dataFault.test(String(fault.code));

/** Readings → one transaction a batch → acknowledgements and live events. One batch at a time; while it is written the next one grows. */
export const createWriter = ({ pool, bus, clock, log, registry }: Needs): Writer => {
  const stats: WriterStats = {
    readings: 0,
    batches: 0,
    failedBatches: 0,
    waiting: 0,
    waitingReadings: 0,
    raised: 0,
    cleared: 0,
  };
  const listeners: ((hours: ReadonlySet<number>) => void)[] = [];
  let queue: Submission[] = [];
  let tasks: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  let stopping = false;

  const announce = (batch: JudgedBatch, now: number) => {
    for (const channel of batch.newest) {
      const { plantId, serviceEnd } = channel.device;
      if (plantId === null || (serviceEnd !== null && serviceEnd <= now)) continue;
      const { value, status, ts } = channel.state;
      bus.emit("live", {
        plantId,
        message: { cmd: LiveCommand.value, deviceChannelId: channel.channelId, value, status, updateTime: ts },
      });
    }
    const alerted = new Set<KnownDevice>([...batch.raised, ...batch.cleared].map((alert) => alert.channel.device));
    for (const device of batch.devices) {
      if (!device.isOnline) alerted.add(device);
      device.isOnline = true;
    }
    for (const device of alerted)
      if (device.plantId !== null)
        bus.emit("live", {
          plantId: device.plantId,
          message: { cmd: LiveCommand.alertChange, deviceId: device.deviceId },
        });
  };

  const hoursOf = (batch: JudgedBatch): Set<number> => {
    const hours = new Set<number>();
    let last = Number.NaN;
    for (const ts of batch.times) {
      const hour = Math.floor(ts / 3_600_000);
      if (hour !== last) hours.add(hour);
      last = hour;
    }
    return hours;
  };

  const write = async (submissions: readonly Submission[]): Promise<void> => {
    const stale = new Set(submissions.flatMap((submission) => submission.devices.filter((device) => device.isStale)));
    if (stale.size > 0) await registry.reload([...stale]);
    const now = clock.now();
    const batch = judgeBatch(submissions, now);
    try {
      const arrivals = submissions.flatMap((submission) => submission.arrival ?? []);
      await inTransaction(pool, (client) => storeBatch(client, batch, arrivals, now));
    } catch (fault) {
      dropDrafts(batch);
      throw fault;
    }
    adoptDrafts(batch);
    stats.readings += batch.channelIds.length;
    stats.batches += 1;
    stats.raised += batch.raised.length;
    stats.cleared += batch.cleared.length;
    for (const submission of submissions) submission.done("stored");
    announce(batch, now);
    const hours = hoursOf(batch);
    for (const listener of listeners) listener(hours);
  };

  /** Writes the messages; a database that is away is waited for, a batch with bad rows is split until they stand alone. */
  const writeSurely = async (submissions: readonly Submission[]): Promise<void> => {
    for (let delay: number = retryDelay.first; ; delay = Math.min(delay * 2, retryDelay.longest)) {
      try {
        return await write(submissions);
      } catch (fault) {
        stats.failedBatches += 1;
        // What the database holds is not known now: it may even have committed. Everything is loaded and judged again.
        for (const device of submissions.flatMap((submission) => submission.devices)) device.isStale = true;
        log.error({ fault, messages: submissions.length }, "A batch of readings was not written");
        if (isDataFault(fault)) return await splitBatch(submissions);
        if (stopping) {
          for (const submission of submissions) submission.done("stopped");
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  };

  const splitBatch = async (submissions: readonly Submission[]): Promise<void> => {
    if (submissions.length === 1) {
      submissions[0]?.done("refused");
      return;
    }
    const middle = submissions.length >> 1;
    await writeSurely(submissions.slice(0, middle));
    await writeSurely(submissions.slice(middle));
  };

  const takeBatch = (): Submission[] => {
    let readings = 0;
    let count = 0;
    while (count < queue.length && (count === 0 || readings < batchLimit))
      readings += (queue[count++] as Submission).channels.length;
    const batch = queue.slice(0, count);
    queue = queue.slice(count);
    return batch;
  };

  const run = async (): Promise<void> => {
    while (queue.length > 0 || tasks.length > 0) {
      const due = tasks;
      tasks = [];
      for (const task of due) await task();
      if (queue.length === 0) continue;
      const batch = takeBatch();
      await writeSurely(batch);
      stats.waiting -= batch.length;
      for (const submission of batch) stats.waitingReadings -= submission.channels.length;
    }
    running = undefined;
  };

  // What arrives in the same turn of the event loop goes into one batch.
  const wake = () => {
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(run);
  };

  return {
    submit: (submission) => {
      if (stats.waitingReadings > waitingLimit) return submission.done("stopped");
      stats.waiting += 1;
      stats.waitingReadings += submission.channels.length;
      queue.push(submission);
      wake();
    },
    exclusively: (work) =>
      new Promise((resolve, reject) => {
        tasks.push(() => work().then(resolve, reject));
        wake();
      }),
    onHours: (listener) => listeners.push(listener),
    stats,
    stop: async () => {
      stopping = true;
      await running;
    },
  };
};
