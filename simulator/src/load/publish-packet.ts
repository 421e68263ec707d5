import { topics } from "@telltale/contract/device-api";

/** An encoded telemetry message, of which only packet identifier, times and values change. */
export interface PublishPacket {
  /** Bytes. */
  length: number;
  /** Samples in it; their times are consecutive milliseconds. */
  moments: number;
  readings: number;
  /** Writes the message at `offset`; `ts` is the time of its first sample in epoch milliseconds. `turn` varies the values. */
  write: (target: Buffer, offset: number, packetId: number, ts: number, turn: number) => void;
}

/** Thirteen digits until the year 2286. */
const tsPlace = "0000000000000";
/** Two digits before the point, the first a space instead of a leading zero, and two after it. */
const valuePlace = "00.00";
const zero = 0x30;
const space = 0x20;

/** Range of the values, at least 0 and below 100. */
export interface ValueRange {
  from: number;
  to: number;
}
const usualRange: ValueRange = { from: 10, to: 69.99 };

/** MQTT's variable-length integer: seven bits per byte, least significant first. */
const remainingLength = (length: number): number[] => {
  const bytes: number[] = [];
  for (let rest = length; ; ) {
    const byte = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? byte | 0x80 : byte);
    if (rest === 0) return bytes;
  }
};

/** A payload with placeholders for times and values, and their offsets. */
const layOut = (codes: readonly string[], readings: number) => {
  const tsAt: number[] = [];
  const valueAt: number[] = [];
  let text = "[";
  for (let done = 0; done < readings; ) {
    text += `${done === 0 ? "" : ","}{"ts":`;
    tsAt.push(Buffer.byteLength(text));
    text += `${tsPlace},"values":{`;
    const here = Math.min(codes.length, readings - done);
    for (const [i, code] of codes.slice(0, here).entries()) {
      text += `${i === 0 ? "" : ","}${JSON.stringify(code)}:`;
      valueAt.push(Buffer.byteLength(text));
      text += valuePlace;
    }
    text += "}}";
    done += here;
  }
  return { payload: Buffer.from(`${text}]`), tsAt, valueAt };
};

const writeDigits = (target: Buffer, end: number, count: number, number: number): void => {
  let rest = number;
  for (let at = end - 1; at >= end - count; at--) {
    target[at] = zero + (rest % 10);
    rest = Math.floor(rest / 10);
  }
};

const writeValue = (target: Buffer, at: number, hundredths: number): void => {
  writeDigits(target, at + 2, 2, Math.floor(hundredths / 100));
  writeDigits(target, at + 5, 2, hundredths % 100);
  if (hundredths < 1000) target[at] = space;
};

/**
 * Encodes a QoS 1 telemetry message of `readings` values once; afterwards a message costs a copy and its digits. Every value has a fixed width, so
 * that the length never changes.
 */
export const publishPacket = (
  codes: readonly string[],
  readings: number,
  { from, to }: ValueRange = usualRange,
): PublishPacket => {
  const lowest = Math.round(from * 100);
  const width = Math.round(to * 100) - lowest + 1;
  const { payload, tsAt, valueAt } = layOut(codes, readings);
  const topic = Buffer.from(topics.telemetry);
  const length = remainingLength(2 + topic.length + 2 + payload.length);
  const header = Buffer.from([0x32, ...length, topic.length >> 8, topic.length & 0xff, ...topic]);
  const start = header.length + 2;
  const template = Buffer.concat([header, Buffer.alloc(2), payload]);
  return {
    length: template.length,
    moments: tsAt.length,
    readings,
    write: (target, offset, packetId, ts, turn) => {
      template.copy(target, offset);
      target.writeUInt16BE(packetId, offset + header.length);
      for (let i = 0; i < tsAt.length; i++) {
        writeDigits(target, offset + start + (tsAt[i] ?? 0) + tsPlace.length, tsPlace.length, ts + i);
      }
      for (let i = 0; i < valueAt.length; i++) {
        writeValue(target, offset + start + (valueAt[i] ?? 0), lowest + ((turn * 37 + i * 911) % width));
      }
    },
  };
};
