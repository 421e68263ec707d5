import { Code } from "@telltale/contract/call/codes";
import { expect, test, vi } from "vitest";
import { testClock } from "../../test/test-clock.ts";
import { createPace } from "./pace.ts";

const plants = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

test("portions are stored one at a time, also of several plants; beyond eight that wait, a plant with one of them is asked to come again", async () => {
  const inTurn = createPace({ clock: testClock() });
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  let [atOnce, most] = [0, 0];
  const store = async (): Promise<string> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await isFree;
    atOnce -= 1;
    return "stored";
  };
  const waiting = [1, 1, 1, 1, 1, 1, 1, 1].map((plantId) => inTurn(plantId, store));
  const refused = { code: Code.tooManyTries };
  await expect(inTurn(1, store)).rejects.toMatchObject(refused);
  const others = plants(25)
    .slice(1)
    .map((plantId) => inTurn(plantId, store));
  await expect(inTurn(2, store)).rejects.toMatchObject(refused);
  await expect(inTurn(99, store)).rejects.toMatchObject(refused);
  free();
  expect(await Promise.all([...waiting, ...others])).toEqual(Array(32).fill("stored"));
  expect(most).toBe(1);
  expect(await inTurn(1, store)).toBe("stored");
});

test.each([
  ["a device's message has been waiting for long", { age: 501, unmerged: 0 }],
  ["much is not merged yet", { age: 0, unmerged: 1_500_001 }],
])("a portion waits while %s", async (_what, busy) => {
  const clock = testClock();
  const now = { ...busy };
  const devices = {
    writer: { oldestTs: () => clock.now() - now.age },
    merger: {
      stats: {
        get unmerged() {
          return now.unmerged;
        },
      },
    },
  };
  const store = vi.fn(async () => undefined);
  const stored = createPace({ clock }, devices)(1, store);
  await new Promise((resolve) => setImmediate(resolve));
  expect(store).not.toHaveBeenCalled();
  Object.assign(now, { age: 500, unmerged: 0 });
  await stored;
  expect(store).toHaveBeenCalledOnce();
});
