import { expect, it } from "vitest";
import { hrefOf, type Location, parseSearch, stringifySearch } from "./address.ts";

it("keeps texts that look like numbers, repeated names as lists, and special characters", () => {
  const address = "?deviceSnId=00123&status=1&status=2&channelName=P%26L+%C2%B0F";
  expect(parseSearch(address)).toEqual({ deviceSnId: "00123", status: ["1", "2"], channelName: "P&L °F" });
  expect(stringifySearch(parseSearch(address))).toBe(address);
});

it("omits parameters without a value", () => {
  expect(stringifySearch({ deviceId: 5, deviceChannelId: undefined, status: [] })).toBe("?deviceId=5");
  expect(stringifySearch({})).toBe("");
});

const open: Location = {
  href: "/devices?status=1&page=2#list",
  pathname: "/devices",
  search: { status: "1", page: "2" },
  hash: "#list",
  state: {},
  key: "a",
};

it("leads to another page with the given parameters only", () => {
  expect(hrefOf({ to: "/alarms", search: { view: "standing" }, hash: "try" }, open)).toBe("/alarms?view=standing#try");
  expect(hrefOf({ to: "/alarms" }, open)).toBe("/alarms");
});

it("leads to the open page with other, changed or the same parameters", () => {
  expect(hrefOf({ to: ".", search: {} }, open)).toBe("/devices");
  expect(hrefOf({ to: ".", search: (now) => ({ ...now, page: undefined }) }, open)).toBe("/devices?status=1");
  expect(hrefOf({ to: ".", search: true }, open)).toBe("/devices?status=1&page=2");
});

it("leads to a complete address as it is", () => {
  expect(hrefOf({ href: "/login?x=1#y" }, open)).toBe("/login?x=1#y");
});
