import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { SendingRefused } from "./send-refused.ts";

/** Addresses that are not of the public internet: own machine, private and shared networks, link-local, documentation, multicast, reserved. */
const inside = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  inside.addSubnet(network, prefix, "ipv4");

/** All of IPv6 that is global unicast; what is not in it is local, multicast or reserved. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
/** Within it: Teredo and other protocol assignments, documentation, and 6to4, which carries an IPv4 address. */
const special6 = new BlockList();
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  special6.addSubnet(network, prefix, "ipv6");

/** Whether an address is one of the public internet. IPv4 written as IPv6 is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !inside.check(address, "ipv4");
  return isIP(address) === 6 && global6.check(address, "ipv6") && !special6.check(address, "ipv6");
};

/** Without the host, which is for owner and admins: every member who sees what is suppressed reads why a delivery failed. */
const ofPrivateNetwork =
  "The address is one of a private network. The operator of this server allows them with WEBHOOK_PRIVATE=1";

const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

/** The host as addresses of the web have it: of other schemes `URL` leaves `2130706433` and `0x7f.1` as they are, which are 127.0.0.1. */
const plainHostOf = (hostname: string): string => {
  const asWeb = `http://${hostname}`;
  return hostOf(URL.canParse(asWeb) ? new URL(asWeb).hostname : hostname);
};
const isLocalhost = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/**
 * Why an address that a user has given may not be called, as far as that is told without looking its name up; undefined when it may. Without
 * `isPrivateAllowed` it begins with one of `schemes`, such as `https:`, and is no private one.
 */
export const refusalOfAddress = (
  { protocol, hostname }: URL,
  schemes: readonly string[],
  isPrivateAllowed: boolean,
): string | undefined => {
  if (isPrivateAllowed) return undefined;
  if (!schemes.includes(protocol)) {
    const allowed = schemes.map((scheme) => `${scheme}//`).join(" or ");
    return `The address must begin with ${allowed}. The operator of this server allows others with WEBHOOK_PRIVATE=1`;
  }
  const host = plainHostOf(hostname);
  return isLocalhost(host) || (isIP(host) !== 0 && !isPublicAddress(host)) ? ofPrivateNetwork : undefined;
};

/** Asks name servers, and not the operating system's `lookup`, whose few threads others need, too: a name server that does not answer would hold them. */
const publicResolver = (): Resolver => new Resolver({ timeout: 2_000, tries: 2 });

/** The addresses that name servers tell; at least one. Throws the name server's fault. */
const resolvedBy = async (resolver: Resolver, host: string): Promise<LookupAddress[]> => {
  if (isLocalhost(host)) return [{ address: "127.0.0.1", family: 4 }];
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && v4.status === "rejected") throw v4.reason;
  return found;
};

/**
 * The addresses of a host, resolved once: connect to these and to no others, so that a name that resolves differently a moment later leads nowhere else.
 * Throws when one is not public, unless `isPrivateAllowed`, where names of the hosts file are found, too.
 */
export const addressesOf = async (
  hostname: string,
  isPrivateAllowed: boolean,
  resolver = publicResolver(),
): Promise<LookupAddress[]> => {
  const host = hostOf(hostname);
  const family = isIP(host);
  if (isPrivateAllowed) return family === 0 ? lookup(host, { all: true }) : [{ address: host, family }];
  const found = family === 0 ? await resolvedBy(resolver, host) : [{ address: host, family }];
  if (found.some(({ address }) => !isPublicAddress(address)))
    throw new SendingRefused(ofPrivateNetwork, { isFinal: true });
  return found;
};

/** A `lookup` that finds these addresses and no others: see `addressesOf`. */
export const pinnedTo =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, addresses);
    else if (first) done(null, first.address, first.family);
  };
