import { setTimeout } from "node:timers/promises";
import type { Outbox } from "../device/outbox.ts";
import { createProgress } from "../progress.ts";
import { type Mapping, readRow } from "./mapping.ts";
import { placeOf, placesOf, type Recording } from "./recording.ts";
import { createRowTimes } from "./row-times.ts";

export interface ReplayNeeds {
  recording: Recording;
  mappings: readonly Mapping[];
  /** Device ID of the outbox' own device. */
  device: string;
  outbox: Outbox;
  time: string | undefined;
  start: number | undefined;
  /** Milliseconds. */
  step: number;
  rate: number | undefined;
  signal: AbortSignal;
}

/** Result of a replay. */
export interface ReplayResult {
  rows: number;
  sent: number;
  acknowledged: number;
  empty: number;
  notNumbers: number;
  /** Rows whose time could not be parsed. */
  timeless: number;
  seconds: number;
}

/** Maximum unacknowledged readings. */
const bound = 4000;
/** Samples per message without a rate. */
const worthwhile = 100;

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Sends rows at the rate, or as fast as they are acknowledged, until the last is acknowledged or the signal aborts. */
export const replay = async (needs: ReplayNeeds): Promise<ReplayResult> => {
  const { recording, mappings, outbox, rate, signal } = needs;
  const places = placesOf(recording, mappings);
  const column = needs.time === undefined ? undefined : placeOf(recording, needs.time);
  const timeOf = createRowTimes({ column, start: needs.start, step: needs.step });
  const result: ReplayResult = { rows: 0, sent: 0, acknowledged: 0, empty: 0, notNumbers: 0, timeless: 0, seconds: 0 };
  const begin = performance.now();
  const stop = ended(signal);
  const progress = createProgress("Replay", recording.count);
  const wait = async (): Promise<void> => {
    if (rate === undefined) {
      if (outbox.counts.pending >= bound) await Promise.race([outbox.below(bound), stop]);
      return;
    }
    const ahead = (result.rows / rate) * 1000 - (performance.now() - begin);
    // Short waits are accumulated: a timer's resolution is some milliseconds.
    if (ahead > 20) await setTimeout(ahead, undefined, { signal }).catch(() => undefined);
  };
  for await (const row of recording.rows()) {
    if (signal.aborted) break;
    const ts = timeOf(row);
    result.rows++;
    if (Number.isNaN(ts)) result.timeless++;
    else {
      const { moment, readings, empty, notNumbers } = readRow(row, mappings, places, ts);
      result.empty += empty;
      result.notNumbers += notNumbers;
      result.sent += readings;
      if (moment) outbox.add(needs.device, moment, readings);
    }
    outbox.flush(rate === undefined ? worthwhile : 1);
    progress.update(result.rows, outbox.counts.acknowledged);
    await wait();
  }
  outbox.flush(1);
  await Promise.race([outbox.below(1), stop]);
  progress.update(result.rows, outbox.counts.acknowledged);
  progress.stop();
  return { ...result, acknowledged: outbox.counts.acknowledged, seconds: (performance.now() - begin) / 1000 };
};
