import { expect, it } from "vitest";
import { parseSearch, stringifySearch } from "../ui/router/address.ts";

it("keeps texts that look like numbers, repeated names as lists, and special characters", () => {
  const address = "?deviceSnId=00123&status=1&status=2&channelName=P%26L+%C2%B0F";
  expect(parseSearch(address)).toEqual({ deviceSnId: "00123", status: ["1", "2"], channelName: "P&L °F" });
  expect(stringifySearch(parseSearch(address))).toBe(address);
});

it("omits parameters without a value", () => {
  expect(stringifySearch({ deviceId: 5, deviceChannelId: undefined, status: [] })).toBe("?deviceId=5");
  expect(stringifySearch({})).toBe("");
});
