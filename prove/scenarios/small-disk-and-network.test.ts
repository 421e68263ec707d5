import { expect, test } from "vitest";
import { broken } from "../finding.ts";
import { disk } from "./disk.ts";
import { interruptions } from "./interruptions.ts";

test.each([
  ["cut connections and a server or a database that stands still lose nothing", interruptions, 0.05],
  ["a disk that is full or read-only loses nothing, and the server says so", disk, 0.05],
])("%s", { timeout: 300_000 }, async (_promise, scenario, scale) => {
  expect(broken(await scenario.run(scale)).join("\n")).toBe("");
});
