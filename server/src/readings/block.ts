import { crc32, zstdDecompressSync } from "node:zlib";
import { type BlockColumns, type Column, columnAt, columnLimit, writeColumn } from "./columns.ts";
import { openWideBlock, wideFormat } from "./wide-block.ts";

/**
 * Readings of several channels in columns, channel by channel. `counts[i]` readings belong to `channelIds[i]`, in the order in which they were
 * written; times are epoch milliseconds and need not ascend.
 */
export interface Block {
  deviceIds: ArrayLike<number>;
  channelIds: ArrayLike<number>;
  counts: ArrayLike<number>;
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
  /** Per channel the status plus 1 that its newest reading is shown with, which may differ from the stored one; 0 when none of its readings is. */
  shown: Uint8Array;
}

/** Readings of one channel in columns. */
export interface Run {
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
}

/** Bytes in front of the columns: format, three unused, checksum of all that follows, number of channels, number of readings. */
const headerSize = 16;
const format = 2;
const checksumAt = 4;
const checkedFrom = 8;

/** First bytes of a block that a version before SQL users compressed by Zstandard. */
const compressedMark = 0xfd2f_b528;

const splitTimes = ({ counts, times }: Block): { firsts: Float64Array; steps: Float64Array } => {
  const firsts = new Float64Array(counts.length);
  const steps = new Float64Array(times.length - counts.length);
  let at = 0;
  let step = 0;
  for (let channel = 0; channel < counts.length; channel++) {
    const end = at + (counts[channel] ?? 0);
    let previous = times[at] ?? 0;
    firsts[channel] = previous;
    for (at += 1; at < end; at++) {
      const time = times[at] ?? 0;
      steps[step++] = time - previous;
      previous = time;
    }
  }
  return { firsts, steps };
};

/**
 * Codes a block for the columns `batches.readings` and `chunks.readings`. Each channel has at least one reading. Each column has the narrowest form
 * from which every number comes back bit for bit; nothing is compressed, since SQL users read blocks too (own-database.sql). A checksum tells a damaged one.
 */
export const encodeBlock = (block: Block): Buffer => {
  const [channels, readings] = [block.channelIds.length, block.times.length];
  const { firsts, steps } = splitTimes(block);
  const columns = [
    firsts,
    steps,
    block.values,
    block.deviceIds,
    block.channelIds,
    block.counts,
    block.statuses,
    block.shown,
  ];
  const size = columns.reduce((sum, { length }) => sum + columnLimit(length), headerSize);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, format);
  view.setUint32(8, channels, true);
  view.setUint32(12, readings, true);
  const end = columns.reduce((at, numbers) => writeColumn(view, at, numbers), headerSize);
  view.setUint32(checksumAt, crc32(bytes.subarray(checkedFrom, end)), true);
  return Buffer.from(bytes.subarray(0, end));
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const openNarrowBlock = (bytes: Uint8Array): BlockColumns => {
  const view = viewOf(bytes);
  if (view.getUint32(checksumAt, true) !== crc32(bytes.subarray(checkedFrom)))
    throw new Error("Stored readings are damaged");
  const [channels, readings] = [view.getUint32(8, true), view.getUint32(12, true)];
  let at = headerSize;
  const next = (length: number): Column => {
    const column = columnAt(view, at, length);
    at = column.end;
    return column;
  };
  return {
    channels,
    readings,
    firsts: next(channels),
    steps: next(readings - channels),
    values: next(readings),
    deviceIds: next(channels),
    channelIds: next(channels),
    counts: next(channels),
    statuses: next(readings),
    shown: next(channels),
  };
};

/** The columns of a coded block. Throws when the bytes are damaged or of an unknown format. */
const openBlock = (coded: Buffer): BlockColumns => {
  const isCompressed = coded.length > 4 && viewOf(coded).getUint32(0, true) === compressedMark;
  const bytes = isCompressed ? zstdDecompressSync(coded) : coded;
  if (bytes.length >= headerSize && bytes[0] === format) return openNarrowBlock(bytes);
  if (bytes.length >= headerSize && bytes[0] === wideFormat) return openWideBlock(bytes);
  throw new Error("Unknown format of stored readings");
};

const fillTimes = (times: Float64Array, counts: Int32Array, firsts: Float64Array, steps: Float64Array): void => {
  let at = 0;
  let step = 0;
  for (let channel = 0; channel < counts.length; channel++) {
    const end = at + (counts[channel] ?? 0);
    let time = firsts[channel] ?? 0;
    times[at] = time;
    for (at += 1; at < end; at++) {
      time += steps[step++] ?? 0;
      times[at] = time;
    }
  }
};

const decodeAll = (bytes: Buffer): Block => {
  const { channels, readings, ...columns } = openBlock(bytes);
  const counts = columns.counts.read(new Int32Array(channels));
  const times = new Float64Array(readings);
  const steps = columns.steps.read(new Float64Array(readings - channels));
  fillTimes(times, counts, columns.firsts.read(new Float64Array(channels)), steps);
  return {
    deviceIds: columns.deviceIds.read(new Int32Array(channels)),
    channelIds: columns.channelIds.read(new Int32Array(channels)),
    counts,
    times,
    values: columns.values.read(new Float64Array(readings)),
    statuses: columns.statuses.read(new Uint8Array(readings)),
    shown: columns.shown.read(new Uint8Array(channels)),
  };
};

/** The bytes of a stored row are there and are no readings. */
export class Damaged extends Error {}

/** The readings of a coded block. Throws `Damaged` when the bytes are damaged or of an unknown format. */
export const decodeBlock = (bytes: Buffer): Block => {
  try {
    return decodeAll(bytes);
  } catch (cause) {
    throw new Damaged(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

/** Times in epoch milliseconds, both included. */
export interface Range {
  from: number;
  to: number;
}

/** Moves the readings from `start` to before `end` that lie in the range to `start`; returns the end of them. */
const keepWithin = ({ times, values, statuses }: Run, start: number, end: number, { from, to }: Range): number => {
  let kept = start;
  for (let at = start; at < end; at++) {
    const time = times[at] ?? 0;
    if (time < from || time > to) continue;
    if (kept < at) {
      times[kept] = time;
      values[kept] = values[at] ?? 0;
      statuses[kept] = statuses[at] ?? 0;
    }
    kept += 1;
  }
  return kept;
};

/** Readings of a channel in a block from which a line needs only the extremes. */
const many = 16;

/**
 * Where there are many readings from `start` to before `end`, all within `coarse` milliseconds, moves the least and the greatest to `start`, in the order in
 * which they are; returns the end of what is left.
 */
const keepExtremes = ({ times, values, statuses }: Run, start: number, end: number, coarse: number): number => {
  if (end - start < many) return end;
  let [low, high, first, last] = [start, start, times[start] ?? 0, times[start] ?? 0];
  for (let at = start + 1; at < end; at++) {
    if ((values[at] ?? 0) < (values[low] ?? 0)) low = at;
    if ((values[at] ?? 0) > (values[high] ?? 0)) high = at;
    first = Math.min(first, times[at] ?? 0);
    last = Math.max(last, times[at] ?? 0);
  }
  if (last - first > coarse) return end;
  let kept = start;
  for (const at of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) {
    times[kept] = times[at] ?? 0;
    values[kept] = values[at] ?? 0;
    statuses[kept] = statuses[at] ?? 0;
    kept += 1;
  }
  return kept;
};

const always: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * The readings of these channels in a coded block. Of all others only the counts are read: a block has the channels of many devices. Most channels have one or
 * two readings in it, so that arrays of their own would cost more than the readings.
 */
const decodeWanted = (bytes: Buffer, wanted: ReadonlySet<number>, range: Range, coarse: number): Block => {
  const { channels, ...columns } = openBlock(bytes);
  const channelIds = columns.channelIds.read(new Int32Array(channels));
  const all = columns.counts.read(new Int32Array(channels));
  let size = 0;
  for (let index = 0; index < channels; index++) if (wanted.has(channelIds[index] ?? 0)) size += all[index] ?? 0;
  const run: Run = { times: new Float64Array(size), values: new Float64Array(size), statuses: new Uint8Array(size) };
  const found: { index: number; count: number }[] = [];
  let end = 0;
  for (let index = 0, start = 0; index < channels; index++) {
    const count = all[index] ?? 0;
    if (wanted.has(channelIds[index] ?? 0)) {
      columns.firsts.read(run.times, index, end, 1);
      // Each channel before this one has one step less than readings.
      columns.steps.read(run.times, start - index, end + 1, count - 1);
      for (let at = end + 1; at < end + count; at++) run.times[at] = (run.times[at - 1] ?? 0) + (run.times[at] ?? 0);
      columns.values.read(run.values, start, end, count);
      columns.statuses.read(run.statuses, start, end, count);
      const within = keepWithin(run, end, end + count, range);
      const kept = coarse > 0 ? keepExtremes(run, end, within, coarse) : within;
      if (kept > end) found.push({ index, count: kept - end });
      end = kept;
    }
    start += count;
  }
  const each = ({ read }: Column): Int32Array => {
    const numbers = new Int32Array(found.length);
    for (const [at, { index }] of found.entries()) read(numbers, index, at, 1);
    return numbers;
  };
  return {
    deviceIds: each(columns.deviceIds),
    channelIds: found.map(({ index }) => channelIds[index] ?? 0),
    counts: found.map(({ count }) => count),
    times: run.times.subarray(0, end),
    values: run.values.subarray(0, end),
    statuses: run.statuses.subarray(0, end),
    shown: Uint8Array.from(each(columns.shown)),
  };
};

const empty: Block = {
  ...{ deviceIds: [], channelIds: [], counts: [], shown: new Uint8Array() },
  ...{ times: new Float64Array(), values: new Float64Array(), statuses: new Uint8Array() },
};

/**
 * The readings of these channels in a coded block, within a range; of many within `coarse` milliseconds only the least and the greatest. None when the bytes
 * are damaged: a reader shows the rest, and merging or packing names the row.
 */
export const readableOf = (bytes: Buffer, wanted: ReadonlySet<number>, range: Range = always, coarse = 0): Block => {
  try {
    return decodeWanted(bytes, wanted, range, coarse);
  } catch {
    return empty;
  }
};
