import { expect, test } from "vitest";
import { broken } from "../finding.ts";
import { database } from "./database.ts";
import { fuzzWith } from "./fuzz.ts";

/** Milliseconds after which no answer counts as none: on a machine that runs other tests beside this one, an answer may be late. */
const patience = 60_000;

test("some thousands of mutated payloads and some hundreds of mutated calls do the server no harm", {
  timeout: 300_000,
}, async () => {
  expect(broken(await fuzzWith(patience, 0.004)).join("\n")).toBe("");
});

test("a database that is restarted, stands still or is slow loses nothing, and the server says so", {
  timeout: 300_000,
}, async () => {
  expect(broken(await database.run(0.05)).join("\n")).toBe("");
});
