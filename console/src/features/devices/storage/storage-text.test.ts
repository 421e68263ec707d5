import { expect, test } from "vitest";
import { keptText, usedPart, usedText } from "./storage-text.ts";

const storage = {
  readings: 35_000_000,
  usedBytes: 420_000_000,
  storageSpace: 1,
  readingsFrom: null,
  monthsKept: { device: null, plant: null, operator: null },
  notice: null,
};

test.each([
  [420_000_000, 1, "0.42 GB of 1 GB", 0.42],
  [12, 1, "under 0.01 GB of 1 GB", 0.000_000_012],
  [0, 10, "0.00 GB of 10 GB", 0],
  [2_500_000_000, 1, "2.50 GB of 1 GB", 1],
  [2_500_000_000, null, "2.50 GB", null],
])("%i bytes of %j GB are '%s'", (usedBytes, storageSpace, words, part) => {
  expect(usedText({ ...storage, usedBytes, storageSpace })).toBe(words);
  expect(usedPart({ ...storage, usedBytes, storageSpace })).toBe(part);
});

test.each([
  [null, null, null, "For ever"],
  [24, null, null, "24 months, set by the operator"],
  [24, 12, null, "12 months, set for the plant"],
  [24, 12, 1, "1 month, set for this device"],
  [6, 12, null, "6 months, set by the operator"],
])("the shortest of operator %j, plant %j and device %j applies", (operator, plant, device, words) => {
  expect(keptText({ operator, plant, device })).toBe(words);
});
