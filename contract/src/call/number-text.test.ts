import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutDecimals, readNumbers, writeNumbers } from "./number-text.ts";

const decimal = (decimals: number) =>
  fc.integer({ min: -2_000_000, max: 2_000_000 }).map((steps) => steps / 10 ** decimals);
const withRuns = (number: fc.Arbitrary<number>) =>
  fc
    .array(fc.record({ number: fc.option(number), times: fc.integer({ min: 1, max: 200 }) }))
    .map((runs) => runs.flatMap(({ number: value, times }) => Array.from({ length: times }, () => value)));

describe("numbers as text", () => {
  it.each([
    ["whole ones", decimal(0)],
    ["those of two decimals", decimal(2)],
    ["those of three decimals", decimal(3)],
    ["any", fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0))],
  ])("come back as they were: %s", (_, number) => {
    fc.assert(
      fc.property(withRuns(number), (numbers) => {
        expect(readNumbers(writeNumbers(numbers))).toEqual(numbers);
      }),
    );
  });

  it("are one or two letters where neighbours are alike, and next to nothing where they are equal", () => {
    const noisy = Array.from({ length: 1_440 }, (_, at) => Math.round(6_500 + 20 * Math.sin(at * 7)) / 100);
    expect(writeNumbers(noisy).length).toBeLessThan(2 * noisy.length);
    expect(writeNumbers(Array.from({ length: 1_440 }, () => 0.1 + 0.2)).length).toBeLessThan(30_000);
    expect(writeNumbers(Array.from({ length: 1_440 }, () => 21.5)).length).toBeLessThan(10);
  });

  it("have no letter that JSON writes as two", () => {
    fc.assert(
      fc.property(withRuns(decimal(2)), (numbers) => {
        const text = writeNumbers(numbers);
        expect(JSON.stringify(text)).toBe(`"${text}"`);
      }),
    );
  });

  it("are cut so that they read the same with fewer decimals", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (number) => {
        const cut = cutDecimals(number);
        expect(Math.abs(cut - number)).toBeLessThan(0.001);
        for (const decimals of [0, 1, 2])
          expect(Math.abs(Number(cut.toFixed(decimals)) - Number(number.toFixed(decimals)))).toBeLessThan(1e-6);
      }),
    );
    for (const half of [
      0.015000000000000001, -0.015000000000000001, 0.15000000000000002, 1.0049999999999997, 2.5000000000000004,
    ])
      expect(cutDecimals(half).toFixed(2)).toBe(half.toFixed(2));
    expect(cutDecimals(1.001)).toBe(1.001);
    expect(cutDecimals(1.0049)).toBe(1.004);
  });
});
