import { UpdateStep } from "@telltale/contract/domains/firmware";
import { describe, expect, test } from "vitest";
import { chunksOf, evaluateReport, silenceFailure } from "./report.rules.ts";

const sha256 = "a".repeat(64);
const update = { version: "2.5.0", sha256 };

describe("a device's report during an update", () => {
  test.each([
    ["nothing of it", { current_fw_version: "2.4.1" }, { kind: "nothing" }],
    ["an unknown state", { fw_state: "SLEEPING" }, { kind: "nothing" }],
    [
      "a state",
      { fw_state: "VERIFIED", fw_checksum: sha256.toUpperCase() },
      { kind: "step", step: UpdateStep.verified },
    ],
    ["that it is updated, not to what", { fw_state: "UPDATED" }, { kind: "nothing" }],
    ["that it runs the version", { current_fw_version: "v2.5" }, { kind: "installed" }],
    ["that it runs another", { fw_state: "UPDATED", current_fw_version: "2.4.1" }, { kind: "failed" }],
    ["that it failed", { fw_state: "FAILED", fw_error: " no room " }, { kind: "failed", failure: "no room" }],
    ["that it failed, not why", { fw_state: "FAILED" }, { kind: "failed", failure: "The device reported a failure" }],
    ["a wrong digest beside the version", { current_fw_version: "2.5.0", fw_checksum: "bb" }, { kind: "failed" }],
  ] as const)("%s", (_what, report, verdict) => expect(evaluateReport(update, report)).toMatchObject(verdict));
});

test.each([
  [UpdateStep.offered, "The device never began to download"],
  [UpdateStep.downloading, "The download stopped at chunk 3 of 9 and was not taken up again"],
  [UpdateStep.verified, "The device did not go on after the download; it runs 2.4.1"],
  [UpdateStep.restarting, "The device did not come back with the new version; it runs 2.4.1"],
])("silence at step %i is reported", (step, failure) =>
  expect(silenceFailure(step, { sent: 3, all: 9 }, "2.4.1")).toBe(failure),
);

test("the last chunk may be shorter", () => {
  expect([chunksOf(100, 50), chunksOf(101, 50), chunksOf(1, 50), chunksOf(100, null)]).toEqual([2, 3, 1, 0]);
});
