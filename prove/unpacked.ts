import { zstdDecompressSync } from "node:zlib";
import type { Client } from "pg";

const blocks = `
  SELECT readings FROM chunks WHERE damage IS NULL AND device_id = (SELECT device_id FROM channels WHERE channel_id = $1)
  UNION ALL
  SELECT readings FROM batches WHERE damage IS NULL AND (SELECT device_id FROM channels WHERE channel_id = $1) = ANY(device_ids)`;

/**
 * Times and values of a channel in a block. A reader of its own, so that a fault of the server's is not repeated here: 16 bytes of header, then
 * columns of first times, values, steps, device IDs, channel IDs, counts, statuses and shown statuses. (docs/architecture.md)
 */
const readBlock = (block: Buffer, wanted: number, add: (time: number, value: number) => void): void => {
  const bytes = zstdDecompressSync(block);
  const isWide = bytes.readUInt8(1) === 1;
  const [channels, readings] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const values = 16 + 8 * channels;
  const steps = values + 8 * readings;
  const channelIds = steps + (isWide ? 8 : 4) * (readings - channels) + 4 * channels;
  const counts = channelIds + 4 * channels;
  let [reading, step] = [0, 0];
  for (let channel = 0; channel < channels; channel++) {
    const isWanted = bytes.readInt32LE(channelIds + 4 * channel) === wanted;
    const count = bytes.readInt32LE(counts + 4 * channel);
    let time = bytes.readDoubleLE(16 + 8 * channel);
    for (let at = 0; at < count; at++) {
      if (at > 0) {
        time += isWide ? bytes.readDoubleLE(steps + 8 * step) : bytes.readInt32LE(steps + 4 * step);
        step += 1;
      }
      if (isWanted) add(time, bytes.readDoubleLE(values + 8 * reading));
      reading += 1;
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
