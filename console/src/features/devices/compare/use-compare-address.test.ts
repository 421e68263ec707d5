import { expect, test } from "vitest";
import { channelsIn } from "./use-compare-address.ts";

test("an address has at most four channels, each once, and nothing that is no channel", () => {
  expect(channelsIn(undefined)).toEqual([]);
  expect(channelsIn("7")).toEqual([7]);
  expect(channelsIn(["7", "x", "7", "-1", "8", "9", "10", "11"])).toEqual([7, 8, 9, 10]);
});
