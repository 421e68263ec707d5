import type { BlockColumns } from "./columns.ts";

/** Bytes in front of the columns: format, kind of steps, two unused, number of channels, number of readings, four unused. */
const headerSize = 16;
export const wideFormat = 1;
const wide = 1;

type Numbers = Float64Array | Int32Array | Uint8Array;

const columnOf = (numbers: Numbers): BlockColumns["values"] => ({
  end: 0,
  read: (into, from = 0, to = 0, count = into.length - to) => {
    for (let at = 0; at < count; at++) into[to + at] = numbers[from + at] ?? 0;
    return into;
  },
});

/** The columns of an uncompressed block as versions before narrow columns wrote it: typed arrays, the widest numbers first. */
export const openWideBlock = (bytes: Uint8Array): BlockColumns => {
  // In a buffer of their own, where typed arrays are aligned.
  const { buffer } = new Uint8Array(bytes);
  const header = new DataView(buffer);
  const isWide = header.getUint8(1) === wide;
  const [channels, readings] = [header.getUint32(4, true), header.getUint32(8, true)];
  const later = readings - channels;
  let at = headerSize;
  const next = <T>(make: new (buffer: ArrayBuffer, at: number, length: number) => T, size: number, length: number) => {
    const start = at;
    at += size * length;
    return new make(buffer, start, length);
  };
  const firsts = next(Float64Array, 8, channels);
  const values = next(Float64Array, 8, readings);
  const steps = isWide ? next(Float64Array, 8, later) : next(Int32Array, 4, later);
  const [deviceIds, channelIds, counts] = [0, 1, 2].map(() => next(Int32Array, 4, channels)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const [statuses, shown] = [next(Uint8Array, 1, readings), next(Uint8Array, 1, channels)];
  return {
    channels,
    readings,
    firsts: columnOf(firsts),
    steps: columnOf(steps),
    values: columnOf(values),
    deviceIds: columnOf(deviceIds),
    channelIds: columnOf(channelIds),
    counts: columnOf(counts),
    statuses: columnOf(statuses),
    shown: columnOf(shown),
  };
};
