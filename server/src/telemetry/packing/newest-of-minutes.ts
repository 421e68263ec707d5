import type { Run } from "../../readings/index.ts";

/**
 * The newest readings of an hour's minutes as bytes: 61 places, up to the hour's start and up to the end of each minute since the end of the one before.
 * First the offsets in milliseconds from the hour's start, -1 where there is none (int32), then the values (float64), then the statuses (uint8) unless all
 * are good. In one value and not in arrays, because to fetch a value takes longer than to read it.
 */
const places = 61;
const [offsetBytes, valueBytes] = [4, 8];
const [valuesFrom, statusesFrom] = [places * offsetBytes, places * (offsetBytes + valueBytes)];

const hourLength = 3_600_000;
const minuteLength = 60_000;
const good = 1;

/** Writes the newest readings of an hour's minutes; `run` is in the order of time and value, `hour` counts from the epoch. */
export const writeNewest = (hour: number, { times, values, statuses }: Run): Buffer => {
  const areGood = statuses.every((status) => status === good);
  const bytes = Buffer.alloc(areGood ? statusesFrom : statusesFrom + places);
  for (let place = 0; place < places; place++) bytes.writeInt32LE(-1, place * offsetBytes);
  for (let at = 0; at < times.length; at++) {
    const offset = (times[at] ?? 0) - hour * hourLength;
    const place = Math.ceil(offset / minuteLength);
    bytes.writeInt32LE(offset, place * offsetBytes);
    bytes.writeDoubleLE(values[at] ?? 0, valuesFrom + place * valueBytes);
    if (!areGood) bytes[statusesFrom + place] = statuses[at] ?? good;
  }
  return bytes;
};

/** Calls `take` with each reading that `writeNewest` wrote, oldest first; times in epoch milliseconds. */
export const eachNewest = (
  hour: number,
  bytes: Buffer,
  take: (ts: number, value: number, status: number) => void,
): void => {
  const areGood = bytes.length === statusesFrom;
  for (let place = 0; place < places; place++) {
    const offset = bytes.readInt32LE(place * offsetBytes);
    if (offset < 0) continue;
    const value = bytes.readDoubleLE(valuesFrom + place * valueBytes);
    take(hour * hourLength + offset, value, areGood ? good : (bytes[statusesFrom + place] ?? good));
  }
};
