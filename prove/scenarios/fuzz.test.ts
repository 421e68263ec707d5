import { expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";

test("some thousands of mutated payloads and some hundreds of mutated calls do the server no harm", {
  timeout: 240_000,
}, async () => {
  const findings = await fuzz.run(0.004);
  expect(findings.filter(({ isKept }) => !isKept)).toEqual([]);
});
