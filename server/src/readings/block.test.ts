import fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, decodeBlock, encodeBlock, type Run, readableOf } from "./block.ts";
import { eachRun } from "./gather.ts";

const time = fc.oneof(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.constant(946_684_800_000));
const decimal = fc
  .tuple(fc.integer(), fc.constantFrom(10, 100, 1_000, 10_000, 100_000))
  .map(([steps, power]) => steps / power);
const value = fc.oneof(fc.double(), decimal, fc.constantFrom(0, -0, 5e-324, 1.7e308, Number.NaN), fc.float());
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

const narrowValues: [string, fc.Arbitrary<number>][] = [
  ["of few decimals", decimal],
  ["of single precision", fc.float()],
  ["that are large integers", fc.maxSafeInteger()],
  ["that are all equal", fc.constant(21.5)],
];
test.each(narrowValues)("so do readings %s, in a block that is compressed too", (_which, values) => {
  const readings = fc.array(fc.tuple(time, values, fc.nat(255)), { minLength: 1, maxLength: 3_000, size: "max" });
  fc.assert(
    fc.property(readings, (own) => {
      const block = blockOf([[7, 8, 1, own]]);
      expect(decodeBlock(encodeBlock(block))).toEqual(block);
    }),
    { numRuns: 20 },
  );
});

test("the channels that are asked for come alone, as in the whole block", () => {
  fc.assert(
    fc.property(fc.uniqueArray(channel, { selector: ([, channelId]) => channelId }), fc.nat(), (channels, chosen) => {
      const block = blockOf(channels);
      const whole: [number, Run][] = [];
      eachRun(block, (channelId, run) => whole.push([channelId, run]));
      const wanted = whole.filter((_, at) => (chosen >> (at % 31)) & 1);
      const runs: [number, Run][] = [];
      const ids = new Set(wanted.map(([channelId]) => channelId));
      eachRun(readableOf(encodeBlock(block), ids), (channelId, run) => runs.push([channelId, run]));
      expect(runs).toEqual(wanted);
    }),
  );
});

test("so do the readings of a range", () => {
  const close = fc.array(fc.tuple(fc.nat(20), value, fc.nat(255)), { minLength: 1 });
  const channels = fc.uniqueArray(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(255), close), { selector: ([, id]) => id });
  fc.assert(
    fc.property(channels, fc.nat(20), fc.nat(20), (all, from, to) => {
      const within = all
        .map(([deviceId, id, shown, own]): (typeof all)[number] => {
          return [deviceId, id, shown, own.filter(([at]) => at >= from && at <= to)];
        })
        .filter(([, , , own]) => own.length > 0);
      const { deviceIds, channelIds, counts, ...rest } = readableOf(
        encodeBlock(blockOf(all)),
        new Set(all.map(([, id]) => id)),
        { from, to },
      );
      const ids = { deviceIds: Int32Array.from(deviceIds), channelIds: Int32Array.from(channelIds) };
      expect({ ...ids, counts: Int32Array.from(counts), ...rest }).toEqual(blockOf(within));
    }),
  );
});

test("blocks of versions before narrow columns are read", () => {
  const earlier =
    "28b52ffd24660d0200a402010000000200000004008056febc78420030d03f00f402400a40e8030000204e0000214e010101010202090010c01586b2e3050c5c49069a03615732270012a5ce0872";
  expect(decodeBlock(Buffer.from(earlier, "hex"))).toEqual(
    blockOf([
      [
        1_000,
        20_000,
        2,
        [
          [1_700_000_000_000, 0.25, 1],
          [1_700_000_001_000, 1.25, 1],
        ],
      ],
      [
        1_000,
        20_001,
        2,
        [
          [1_700_000_000_003, 2.25, 1],
          [1_700_000_001_003, 3.25, 1],
        ],
      ],
    ]),
  );
});

test("damaged bytes are distinguished from readings", () => {
  const bytes = encodeBlock(blockOf([[1, 2, 0, [[1_000, 4.2, 1]]]]));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      // An unused bit may change nothing that is read.
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
