import { expect, test } from "vitest";
import { database } from "./database.ts";
import { fuzz } from "./fuzz.ts";

test.each([
  ["some thousands of mutated payloads and some hundreds of mutated calls do the server no harm", fuzz, 0.004],
  ["a database that is restarted, stands still or is slow loses nothing, and the server says so", database, 0.05],
])("%s", { timeout: 300_000 }, async (_promise, scenario, scale) => {
  const findings = await scenario.run(scale);
  // What this user is not permitted to test, such as mounting a disk, is neither kept nor broken.
  expect(findings.filter(({ isKept }) => isKept === false)).toEqual([]);
});
