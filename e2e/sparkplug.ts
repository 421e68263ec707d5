/** The parts of a Sparkplug B metric that the tests send. */
export interface Metric {
  /** Present in births only; data messages may use the alias alone. */
  name?: string;
  alias?: number;
  value: number;
}

/** Sparkplug's data type number for a double. */
const doubleType = 10;
/** Protocol Buffers' wire types. */
const wire = { varint: 0, fixed64: 1, bytes: 2 };

const varint = (number: number): number[] =>
  number < 128 ? [number] : [(number % 128) + 128, ...varint(Math.floor(number / 128))];

const tag = (field: number, type: number): number[] => varint(field * 8 + type);
const integer = (field: number, value: number): number[] => [...tag(field, wire.varint), ...varint(value)];
const bytes = (field: number, value: readonly number[]): number[] => [
  ...tag(field, wire.bytes),
  ...varint(value.length),
  ...value,
];
const double = (field: number, value: number): number[] => {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return [...tag(field, wire.fixed64), ...buffer];
};

const metricBytes = ({ name, alias, value }: Metric): number[] => [
  ...(name === undefined ? [] : [...bytes(1, [...Buffer.from(name)]), ...integer(4, doubleType)]),
  ...(alias === undefined ? [] : integer(2, alias)),
  ...double(13, value),
];

/**
 * Encodes a Sparkplug B payload byte by byte, by the field numbers of sparkplug_b.proto: independent of the server's definition, so that a wrong
 * number there is detected.
 */
export const sparkplugPayload = (seq: number, metrics: readonly Metric[], timestamp = Date.now()): Buffer =>
  Buffer.from([
    ...integer(1, timestamp),
    ...metrics.flatMap((metric) => bytes(2, metricBytes(metric))),
    ...integer(3, seq),
  ]);
