import { Code } from "@telltale/contract/call/codes";
import { expect, test } from "vitest";
import { createFairShare } from "./fair-share.ts";

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

test("a caller's calls wait for its own only, in their order, and too many are refused", async () => {
  const inShare = createFairShare(2, 3);
  const handled: string[] = [];
  const ends: (() => void)[] = [];
  const call = (accountId: number, name: string) =>
    inShare({ accountId }, async () => {
      handled.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === "1b") throw new Error("No luck");
      return name;
    });
  const calls = ["1a", "1b", "1c", "1d", "1e"].map((name) => call(1, name));
  await expect(call(1, "1f")).rejects.toMatchObject({ code: Code.tooManyTries, message: /^Too many requests/ });
  const other = call(2, "2a");
  const program = inShare(
    { accountId: 1, key: { apiKeyId: 1, name: "Export", isReadOnly: true } },
    async () => "by key",
  );
  expect(await program).toBe("by key");
  const ended = Promise.allSettled([...calls, other]);
  await turns();
  expect(handled).toEqual(["1a", "1b", "2a"]);
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await turns();
  }
  expect(handled.slice(3)).toEqual(["1c", "1d", "1e"]);
  expect((await ended).map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual(
    "1a failed 1c 1d 1e 2a".split(" "),
  );
});
