import { UpdateStep } from "@telltale/contract/domains/firmware";
import { expect, test } from "vitest";
import { partDone, updateText } from "./firmware-columns.tsx";

test.each([
  [UpdateStep.offered, 0, 0, "Waiting for the device", 0],
  [UpdateStep.downloading, 0, 0, "Downloading", 0],
  [UpdateStep.downloading, 12, 48, "Downloading, 12 of 48", 0.25],
  [UpdateStep.downloaded, 48, 48, "Downloaded, being checked", 1],
  [UpdateStep.verified, 48, 48, "Checked, being installed", 1],
  [UpdateStep.restarting, 48, 48, "Installed, restarting", 1],
])("step %i with chunk %i of %i has its own text", (step, chunk, chunks, words, part) => {
  const progress = { step, chunk, chunks, versionNo: "2.5.0" };
  expect(updateText(progress)).toBe(words);
  expect(partDone(progress)).toBe(part);
});
