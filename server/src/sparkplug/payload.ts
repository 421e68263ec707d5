import { unzipSync } from "node:zlib";
import protobuf from "protobufjs/light.js";

/**
 * Field numbers are those of the specification's sparkplug_b.proto. Its long values are unsigned, and two's complement where their type is signed; they
 * are read as signed, because a number of JavaScript can't tell the largest unsigned ones apart, which are the small negative ones.
 */
const payloadFields = {
  timestamp: { id: 1, type: "uint64" },
  metrics: { id: 2, rule: "repeated", type: "Metric" },
  seq: { id: 3, type: "uint64" },
  uuid: { id: 4, type: "string" },
  body: { id: 5, type: "bytes" },
};
const metricFields = {
  name: { id: 1, type: "string" },
  alias: { id: 2, type: "uint64" },
  timestamp: { id: 3, type: "uint64" },
  datatype: { id: 4, type: "uint32" },
  isHistorical: { id: 5, type: "bool" },
  isNull: { id: 7, type: "bool" },
  intValue: { id: 10, type: "uint32" },
  longValue: { id: 11, type: "int64" },
  floatValue: { id: 12, type: "float" },
  doubleValue: { id: 13, type: "double" },
  booleanValue: { id: 14, type: "bool" },
  stringValue: { id: 15, type: "string" },
};
/** A field of a group is there also when it is 0, which else counts as missing: the alias 0, and the first sequence number. */
const payloadOneofs = { ofSeq: { oneof: ["seq"] } };
const oneofs = {
  ofAlias: { oneof: ["alias"] },
  value: { oneof: ["intValue", "longValue", "floatValue", "doubleValue", "booleanValue", "stringValue"] },
};

/** The parts of a payload that carry values. */
const Payload = protobuf.Root.fromJSON({
  nested: { Payload: { oneofs: payloadOneofs, fields: payloadFields }, Metric: { oneofs, fields: metricFields } },
}).lookupType("Payload");

/**
 * With what is written and never read: properties of metrics, of which a hostile payload could hold millions. Of proto2, as the specification's: a
 * sequence number of 0 is written.
 */
const Written = protobuf.Root.fromJSON({
  nested: {
    Payload: { edition: "proto2", fields: payloadFields },
    Metric: {
      edition: "proto2",
      oneofs,
      fields: {
        ...metricFields,
        properties: { id: 9, type: "PropertySet" },
      },
    },
    PropertySet: {
      fields: {
        keys: { id: 1, rule: "repeated", type: "string" },
        values: { id: 2, rule: "repeated", type: "PropertyValue" },
      },
    },
    PropertyValue: { fields: { type: { id: 1, type: "uint32" }, stringValue: { id: 8, type: "string" } } },
  },
}).lookupType("Payload");

/** Sparkplug's data type numbers. */
export const DataType = {
  int8: 1,
  int16: 2,
  int32: 3,
  int64: 4,
  uint8: 5,
  uint16: 6,
  uint32: 7,
  uint64: 8,
  float: 9,
  double: 10,
  boolean: 11,
  string: 12,
  text: 14,
} as const;

/** A metric as encoded. Signed integers of up to 32 bits are still in two's complement: their type may only be known from the birth. */
export interface WireMetric {
  name?: string;
  alias?: number;
  /** Epoch milliseconds. */
  timestamp?: number;
  datatype?: number;
  isNull?: boolean;
  intValue?: number;
  longValue?: number;
  floatValue?: number;
  doubleValue?: number;
  booleanValue?: boolean;
  stringValue?: string;
  /** Not the metric's present value. */
  isHistorical?: boolean;
  /** Only written. */
  properties?: { keys: string[]; values: { type: number; stringValue: string }[] };
}

export interface WirePayload {
  timestamp?: number;
  metrics: WireMetric[];
  seq?: number;
  uuid?: string;
  body?: Uint8Array;
}

/** `uuid` by which sparkplug-client marks a payload whose body is another payload, compressed by GZIP or DEFLATE (zlib format). */
const compressed = "SPBV1.0_COMPRESSED";

class TooManyMetrics extends Error {}

const metricsField = 2;

/** Counts metrics without decoding them: a few encoded bytes take a hundred times that when decoded. */
const countMetrics = (bytes: Uint8Array): number => {
  const reader = protobuf.Reader.create(bytes);
  let count = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === metricsField) count += 1;
    reader.skipType(tag & 7);
  }
  return count;
};

const decode = (bytes: Uint8Array, metricLimit: number): WirePayload => {
  if (countMetrics(bytes) > metricLimit) throw new TooManyMetrics();
  const payload = Payload.toObject(Payload.decode(bytes), { longs: Number }) as Partial<WirePayload>;
  return { ...payload, metrics: payload.metrics ?? [] };
};

/** Most bytes of an uncompressed payload, and most metrics of any payload. */
interface Limits {
  bytes: number;
  metrics: number;
}

/** Decodes a payload, also a compressed one. Returns the reason when it is invalid or above the limits; a doubly compressed payload is invalid. */
export const decodePayload = (
  bytes: Buffer,
  { bytes: most, metrics }: Limits,
): WirePayload | "bad" | "too-large" | "too-many" => {
  try {
    const outer = decode(bytes, metrics);
    if (outer.uuid !== compressed || !outer.body) return outer;
    const inner = decode(unzipSync(outer.body, { maxOutputLength: most }), metrics);
    return inner.uuid === compressed ? "bad" : inner;
  } catch (fault) {
    if (fault instanceof TooManyMetrics) return "too-many";
    return (fault as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too-large" : "bad";
  }
};

/** Encodes a payload. */
export const encodePayload = (payload: WirePayload): Buffer =>
  Buffer.from(Written.encode(Written.fromObject(payload)).finish());

/** Builds a metric to write, by its alias or else by its name; undefined when its type cannot hold the value. */
export const metricWith = (
  { name, alias, datatype }: { name: string; alias: number | undefined; datatype: number | undefined },
  value: number | string,
): WireMetric | undefined => {
  const named: WireMetric = alias === undefined ? { name } : { alias };
  if (datatype !== undefined) named.datatype = datatype;
  if (datatype === DataType.string || datatype === DataType.text) return { ...named, stringValue: String(value) };
  const number = Number(value);
  if (value === "" || Number.isNaN(number)) return undefined;
  if (datatype === DataType.boolean) return { ...named, booleanValue: number !== 0 };
  if (datatype === DataType.float) return { ...named, floatValue: number };
  if (datatype === DataType.double) return { ...named, doubleValue: number };
  if (datatype === undefined || !Number.isInteger(number)) return undefined;
  if (datatype === DataType.int64) return { ...named, longValue: number };
  if (datatype === DataType.uint64) return number < 0 ? undefined : { ...named, longValue: number };
  // Signed integers travel in two's complement.
  return datatype <= DataType.uint32 ? { ...named, intValue: number >>> 0 } : undefined;
};

const signedBits: Record<number, number> = { [DataType.int8]: 8, [DataType.int16]: 16, [DataType.int32]: 32 };

const twoTo64 = 2 ** 64;

/** A metric's value by its type: number, boolean or text; null when marked as null; undefined for unsupported types. */
export const metricValue = (
  metric: WireMetric,
  datatype: number | undefined,
): number | boolean | string | null | undefined => {
  if (metric.isNull) return null;
  const { intValue, longValue } = metric;
  if (intValue !== undefined) {
    const bits = signedBits[datatype ?? 0];
    return bits === undefined ? intValue : (intValue << (32 - bits)) >> (32 - bits);
  }
  if (longValue !== undefined) return datatype === DataType.uint64 && longValue < 0 ? longValue + twoTo64 : longValue;
  return metric.floatValue ?? metric.doubleValue ?? metric.booleanValue ?? metric.stringValue;
};
