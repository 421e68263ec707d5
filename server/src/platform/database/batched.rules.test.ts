import { describe, expect, it } from "vitest";
import { batched } from "./batched.ts";

describe("batched queries", () => {
  it("that arrive while others are running are sent together, and each gets its own answer", async () => {
    const rounds: number[] = [];
    const double = batched(async (numbers: readonly number[]) => {
      rounds.push(numbers.length);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return numbers.map((number) => number * 2);
    });
    const first = [double(1), double(2)];
    await new Promise((resolve) => setImmediate(resolve));
    const answers = await Promise.all([...first, ...Array.from({ length: 100 }, (_, at) => double(at))]);
    expect(answers).toEqual([2, 4, ...Array.from({ length: 100 }, (_, at) => at * 2)]);
    expect(rounds).toEqual([2, 100]);
  });

  it("that fail are sent again by later callers", async () => {
    let isAway = true;
    const ask = batched(async (questions: readonly string[]) => {
      if (isAway) throw new Error("away");
      return questions;
    });
    await expect(Promise.all([ask("a"), ask("b")])).rejects.toThrow("away");
    isAway = false;
    expect(await ask("a")).toBe("a");
  });
});
