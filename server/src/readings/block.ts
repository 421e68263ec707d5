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

/** The readings of a coded block. Throws when the bytes are damaged or of an unknown format. */
export const decodeBlock = (bytes: Buffer): Block => {
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

/** A channel's readings in a coded block. */
export interface ChannelRun {
  channelId: number;
  run: Run;
  /** As in `Block`. */
  shown: number;
}

/** The readings of these channels in a coded block. Of all others only the counts are read: a block has the channels of many devices. */
const decodeRuns = (bytes: Buffer, wanted: ReadonlySet<number>): ChannelRun[] => {
  const { channels, ...columns } = openBlock(bytes);
  const channelIds = columns.channelIds.read(new Int32Array(channels));
  const counts = columns.counts.read(new Int32Array(channels));
  const runs: ChannelRun[] = [];
  for (let index = 0, start = 0; index < channels; index++) {
    const channelId = channelIds[index] ?? 0;
    const count = counts[index] ?? 0;
    if (wanted.has(channelId)) {
      const times = new Float64Array(count);
      // Each channel before this one has one step less than readings.
      const steps = columns.steps.read(new Float64Array(count - 1), start - index);
      fillTimes(times, counts.subarray(index, index + 1), columns.firsts.read(new Float64Array(1), index), steps);
      const values = columns.values.read(new Float64Array(count), start);
      const statuses = columns.statuses.read(new Uint8Array(count), start);
      const [shown = 0] = columns.shown.read(new Uint8Array(1), index);
      runs.push({ channelId, run: { times, values, statuses }, shown });
    }
    start += count;
  }
  return runs;
};

/**
 * The readings of these channels in a coded block. None when the bytes are damaged: a reader shows the rest, and merging or packing names the row.
 */
export const readableRuns = (bytes: Buffer, wanted: ReadonlySet<number>): ChannelRun[] => {
  try {
    return decodeRuns(bytes, wanted);
  } catch {
    return [];
  }
};
