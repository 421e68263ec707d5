import fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, decodeBlock, encodeBlock } from "./block.ts";

const time = fc.oneof(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.constant(946_684_800_000));
const value = fc.oneof(fc.double(), fc.constantFrom(0, -0, 5e-324, 1.7e308, Number.NaN), fc.float());
const reading = fc.tuple(time, value, fc.nat(255));
const channel = fc.tuple(fc.nat(2 ** 31 - 1), fc.nat(2 ** 31 - 1), fc.nat(255), fc.array(reading, { minLength: 1 }));

const blockOf = (channels: [number, number, number, [number, number, number][]][]): Block => {
  const readings = channels.flatMap(([, , , own]) => own);
  return {
    deviceIds: Int32Array.from(channels, ([deviceId]) => deviceId),
    channelIds: Int32Array.from(channels, ([, channelId]) => channelId),
    counts: Int32Array.from(channels, ([, , , own]) => own.length),
    shown: Uint8Array.from(channels, ([, , shown]) => shown),
    times: Float64Array.from(readings, ([at]) => at),
    values: Float64Array.from(readings, ([, measured]) => measured),
    statuses: Uint8Array.from(readings, ([, , status]) => status),
  };
};

test("every number comes back bit for bit, also a time of 2000 beside one of today", () => {
  fc.assert(
    fc.property(fc.array(channel), (channels) => {
      const block = blockOf(channels);
      expect(decodeBlock(encodeBlock(block))).toEqual(block);
    }),
  );
});

test("damaged bytes are distinguished from readings", () => {
  const bytes = encodeBlock(blockOf([[1, 2, 0, [[1_000, 4.2, 1]]]]));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      // A bit of the frame's header may change nothing that is read.
      const read = () => decodeBlock(damaged);
      try {
        expect(read()).toEqual(decodeBlock(bytes));
      } catch (fault) {
        expect(fault).toBeInstanceOf(Error);
      }
    }),
  );
  expect(() => decodeBlock(bytes.subarray(0, -5))).toThrow();
});
