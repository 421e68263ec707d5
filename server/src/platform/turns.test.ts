import { expect, test } from "vitest";
import { createFairShare, createTurns } from "./turns.ts";

test("one piece of work of a key and a few of all are done at a time, and all of them in the end", async () => {
  const inTurn = createTurns(2);
  const running: number[] = [];
  const seen = { ofKey: 0, ofAll: 0, done: 0 };
  const work = (key: number, fails: boolean) =>
    inTurn(key, async () => {
      running.push(key);
      seen.ofKey = Math.max(seen.ofKey, running.filter((each) => each === key).length);
      seen.ofAll = Math.max(seen.ofAll, running.length);
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      running.splice(running.indexOf(key), 1);
      seen.done += 1;
      if (fails) throw new Error("No luck");
      return key;
    });
  const all = [1, 1, 1, 2, 3, 3, 4, 5].map((key, at) => work(key, at % 3 === 0));
  const ended = await Promise.allSettled(all);
  expect(ended.map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual([
    ..."failed 1 1 failed 3 3 failed 5".split(" ").map((each) => Number(each) || each),
  ]);
  expect(seen).toEqual({ ofKey: 1, ofAll: 2, done: 8 });
  expect(await work(1, false), "afterwards").toBe(1);
});

test("work of a key that waits does not keep other keys' work waiting", async () => {
  const inTurn = createTurns(2);
  let finish = (): void => undefined;
  const first = inTurn(1, () => new Promise<void>((resolve) => (finish = resolve)));
  const second = inTurn(1, async () => "second");
  expect(await inTurn(2, async () => "other")).toBe("other");
  finish();
  await first;
  expect(await second).toBe("second");
});

test("work of a key waits for its own only, in its order, and too much is refused", async () => {
  const inShare = createFairShare(2, 3, () => new Error("Too many"));
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) =>
    inShare(name.charAt(0), async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === "1b") throw new Error("No luck");
      return name;
    });
  const all = ["1a", "1b", "1c", "1d", "1e"].map(work);
  await expect(work("1f")).rejects.toThrow("Too many");
  const ended = Promise.allSettled([...all, work("2a")]);
  const turns = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  await turns();
  expect(begun).toEqual(["1a", "1b", "2a"]);
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await turns();
  }
  expect(begun.slice(3)).toEqual(["1c", "1d", "1e"]);
  expect((await ended).map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual(
    "1a failed 1c 1d 1e 2a".split(" "),
  );
});
