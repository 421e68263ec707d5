import { describe, expect, test } from "vitest";
import { addressesOf, isPublicAddress } from "./webhook-address.ts";

describe("an address is of the public internet", () => {
  test.each(["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e"])("%s", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe("an address is not", () => {
  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "ff02::1",
    "2002:0a00:0001::1",
    "2001:db8::1",
    "localhost",
    "",
  ])("%s", (address) => expect(isPublicAddress(address)).toBe(false));
});

test("a host is refused by what it resolves to, however it is written", async () => {
  for (const host of [
    "localhost",
    "[::1]",
    "127.0.0.1",
    new URL("http://0x7f.1").hostname,
    new URL("http://2130706433").hostname,
  ])
    await expect(addressesOf(host, false), host).rejects.toThrow("private network");
  expect(await addressesOf("127.0.0.1", true)).toEqual([{ address: "127.0.0.1", family: 4 }]);
});
