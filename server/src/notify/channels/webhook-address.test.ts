import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
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

/** A name server that answers every question for an IPv4 address with this one, and has no IPv6; without an address it answers nothing. */
const aNameServer = async (address?: string): Promise<Resolver> => {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  socket.on("message", (question, { port }) => {
    if (address === undefined) return;
    const end = question.indexOf(0, 12) + 5;
    const isV4 = question.readUInt16BE(end - 4) === 1;
    const header = Buffer.from([question[0] ?? 0, question[1] ?? 0, 0x81, 0x80, 0, 1, 0, isV4 ? 1 : 0, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)]);
    socket.send(Buffer.concat([header, question.subarray(12, end), ...(isV4 ? [answer] : [])]), port);
  });
  const resolver = new Resolver({ timeout: 50, tries: 2 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return resolver;
};

test("a name is asked of the name server, not of the operating system, and given up when it does not answer", async () => {
  const found = [{ address: "93.184.216.34", family: 4 }];
  expect(await addressesOf("hooks.example", false, await aNameServer("93.184.216.34"))).toEqual(found);
  // Neither name nor address: members who see that a delivery failed need not know where it goes.
  await expect(addressesOf("hooks.example", false, await aNameServer("10.0.0.7"))).rejects.toThrow(
    /^The address is one of a private network/,
  );
  await expect(addressesOf("hooks.example", false, await aNameServer())).rejects.toMatchObject({ code: "ETIMEOUT" });
});
