import { zstdDecompressSync } from "node:zlib";
import type { Client } from "pg";

const blocks = `
  SELECT readings FROM chunks WHERE damage IS NULL AND device_id = (SELECT device_id FROM channels WHERE channel_id = $1)
  UNION ALL
  SELECT readings FROM batches WHERE damage IS NULL AND (SELECT device_id FROM channels WHERE channel_id = $1) = ANY(device_ids)`;

/** Widths of a column's numbers by its kind: 5 stands for single precision. */
const widths: Record<number, number> = { 0: 0, 1: 1, 2: 2, 4: 4, 5: 4, 8: 8 };

interface Column {
  at: (index: number) => number;
  end: number;
}

/** A column: its kind, its decimals, the base (double), then `length` offsets from the base, or the numbers themselves. */
const columnOf = (bytes: Buffer, start: number, length: number): Column => {
  const [kind, decimals, base] = [bytes.readUInt8(start), bytes.readUInt8(start + 1), bytes.readDoubleLE(start + 2)];
  const width = widths[kind];
  if (width === undefined) throw new Error(`A column of unknown kind ${kind}`);
  const first = start + 10;
  const at = (index: number): number => {
    const place = first + width * index;
    if (kind === 8) return bytes.readDoubleLE(place);
    if (kind === 5) return bytes.readFloatLE(place);
    return (base + (width === 0 ? 0 : bytes.readUIntLE(place, width))) / 10 ** decimals;
  };
  return { at, end: first + width * length };
};

/**
 * Times and values of a channel in a block. A reader of its own, so that a fault of the server's is not repeated here: 16 bytes of header, then
 * columns of first times, steps, values, device IDs, channel IDs and counts, and others that are not read. Large blocks are compressed.
 */
const readBlock = (block: Buffer, wanted: number, add: (time: number, value: number) => void): void => {
  const bytes = block.readUInt32LE(0) === 0xfd2fb528 ? zstdDecompressSync(block) : block;
  if (bytes.readUInt8(0) !== 2) throw new Error(`A block of format ${bytes.readUInt8(0)}`);
  const [channels, readings] = [bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  const firsts = columnOf(bytes, 16, channels);
  const steps = columnOf(bytes, firsts.end, readings - channels);
  const values = columnOf(bytes, steps.end, readings);
  const deviceIds = columnOf(bytes, values.end, channels);
  const channelIds = columnOf(bytes, deviceIds.end, channels);
  const counts = columnOf(bytes, channelIds.end, channels);
  let [reading, step] = [0, 0];
  for (let channel = 0; channel < channels; channel++) {
    let time = firsts.at(channel);
    const end = reading + counts.at(channel);
    for (let isFirst = true; reading < end; reading++, isFirst = false) {
      if (!isFirst) time += steps.at(step++);
      if (channelIds.at(channel) === wanted) add(time, values.at(reading));
    }
  }
};

/** Times (epoch milliseconds) and values of a channel's readings that are not packed yet; equal ones may be repeated. */
export const unpackedReadings = async (
  client: Client,
  channelId: number,
): Promise<[times: number[], values: number[]]> => {
  const { rows } = await client.query<{ readings: Buffer }>(blocks, [channelId]);
  const [times, values]: [number[], number[]] = [[], []];
  for (const { readings } of rows)
    readBlock(readings, channelId, (time, value) => {
      times.push(time);
      values.push(value);
    });
  return [times, values];
};
