import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

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

/** Bytes in front of the columns: format, kind of steps, two unused, number of channels, number of readings, four unused. */
const headerSize = 16;
const format = 1;
const wide = 1;
const largestStep = 0x7fff_ffff;

/** The fastest level: a block is read a few times within an hour. The checksum tells a damaged one. */
const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

interface Columns {
  firsts: Float64Array;
  values: Float64Array;
  steps: Float64Array | Int32Array;
  deviceIds: Int32Array;
  channelIds: Int32Array;
  counts: Int32Array;
  statuses: Uint8Array;
  shown: Uint8Array;
}

const sizeOf = (channels: number, readings: number, isWide: boolean): number =>
  headerSize + 21 * channels + 9 * readings + (isWide ? 8 : 4) * (readings - channels);

/** Views of the columns in uncompressed bytes; the widest numbers first, so that all are aligned. */
const columnsOf = (buffer: ArrayBuffer, channels: number, readings: number, isWide: boolean): Columns => {
  let at = headerSize;
  const next = (bytes: number): number => {
    const start = at;
    at += bytes;
    return start;
  };
  const later = readings - channels;
  const firsts = new Float64Array(buffer, next(8 * channels), channels);
  const values = new Float64Array(buffer, next(8 * readings), readings);
  const steps = isWide
    ? new Float64Array(buffer, next(8 * later), later)
    : new Int32Array(buffer, next(4 * later), later);
  const deviceIds = new Int32Array(buffer, next(4 * channels), channels);
  const channelIds = new Int32Array(buffer, next(4 * channels), channels);
  const counts = new Int32Array(buffer, next(4 * channels), channels);
  const statuses = new Uint8Array(buffer, next(readings), readings);
  const shown = new Uint8Array(buffer, next(channels), channels);
  return { firsts, values, steps, deviceIds, channelIds, counts, statuses, shown };
};

const hasWideStep = ({ counts, times }: Block): boolean => {
  let at = 0;
  for (let channel = 0; channel < counts.length; channel++) {
    const end = at + (counts[channel] ?? 0);
    for (at += 1; at < end; at++) if (Math.abs((times[at] ?? 0) - (times[at - 1] ?? 0)) > largestStep) return true;
  }
  return false;
};

const fillTimes = ({ counts, times }: Block, { firsts, steps }: Columns): void => {
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
};

/**
 * Codes a block for the columns `batches.readings` and `chunks.readings`. Each channel has at least one reading. Typed arrays of times (the first of
 * each channel, then steps), values and statuses under Zstandard; every number comes back bit for bit.
 */
export const encodeBlock = (block: Block): Buffer => {
  const [channels, readings] = [block.channelIds.length, block.times.length];
  const isWide = hasWideStep(block);
  const buffer = new ArrayBuffer(sizeOf(channels, readings, isWide));
  const header = new DataView(buffer);
  header.setUint8(0, format);
  header.setUint8(1, isWide ? wide : 0);
  header.setUint32(4, channels, true);
  header.setUint32(8, readings, true);
  const columns = columnsOf(buffer, channels, readings, isWide);
  columns.values.set(block.values);
  columns.statuses.set(block.statuses);
  columns.shown.set(block.shown);
  columns.deviceIds.set(block.deviceIds);
  columns.channelIds.set(block.channelIds);
  columns.counts.set(block.counts);
  fillTimes(block, columns);
  return zstdCompressSync(new Uint8Array(buffer), compression);
};

/** `bytes` in a buffer of their own, where typed arrays are aligned. */
const aligned = (bytes: Buffer): ArrayBuffer =>
  bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer && bytes.byteOffset === 0
    ? bytes.buffer
    : (new Uint8Array(bytes).buffer as ArrayBuffer);

const timesOf = (
  counts: Int32Array,
  { firsts, steps }: Pick<Columns, "firsts" | "steps">,
  readings: number,
): Float64Array => {
  const times = new Float64Array(readings);
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
  return times;
};

/** The columns of a coded block. Throws when the bytes are damaged or of an unknown format. */
const openBlock = (bytes: Buffer): Columns & { readings: number } => {
  const buffer = aligned(zstdDecompressSync(bytes));
  const header = new DataView(buffer);
  const isKnown = buffer.byteLength >= headerSize && header.getUint8(0) === format;
  if (!isKnown) throw new Error("Unknown format of stored readings");
  const isWide = header.getUint8(1) === wide;
  const [channels, readings] = [header.getUint32(4, true), header.getUint32(8, true)];
  if (buffer.byteLength < sizeOf(channels, readings, isWide)) throw new Error("Stored readings are cut off");
  return { ...columnsOf(buffer, channels, readings, isWide), readings };
};

/** The readings of a coded block. Throws when the bytes are damaged or of an unknown format. */
export const decodeBlock = (bytes: Buffer): Block => {
  const { deviceIds, channelIds, counts, values, statuses, shown, readings, ...times } = openBlock(bytes);
  return { deviceIds, channelIds, counts, values, statuses, shown, times: timesOf(counts, times, readings) };
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
  const { firsts, steps, channelIds, counts, values, statuses, shown } = openBlock(bytes);
  const runs: ChannelRun[] = [];
  for (let index = 0, start = 0; index < channelIds.length; index++) {
    const channelId = channelIds[index] ?? 0;
    const end = start + (counts[index] ?? 0);
    if (wanted.has(channelId)) {
      const times = timesOf(
        counts.subarray(index, index + 1),
        // Each channel before this one has one step less than readings.
        { firsts: firsts.subarray(index, index + 1), steps: steps.subarray(start - index, end - index - 1) },
        end - start,
      );
      const run = { times, values: values.subarray(start, end), statuses: statuses.subarray(start, end) };
      runs.push({ channelId, run, shown: shown[index] ?? 0 });
    }
    start = end;
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
