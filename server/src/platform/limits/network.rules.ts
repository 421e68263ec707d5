/** The eight groups of an IPv6 address, with `::` expanded. */
const groupsOf = (address: string): string[] => {
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
};

const ipv4Mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const prefixOf = (address: string, bits: 48 | 64): string => {
  const network = groupsOf(address).slice(0, bits / 16);
  return `${network.map((group) => group.toLowerCase().replace(/^0+(?=.)/, "")).join(":")}::/${bits}`;
};

/**
 * The network for which an address's tries count. A client with one IPv6 address controls the whole /64; an IPv4 address counts for itself, also when
 * written as IPv6.
 */
export const networkOf = (address: string): string => {
  const [, mapped] = ipv4Mapped.exec(address) ?? [];
  if (mapped || !address.includes(":")) return mapped ?? address;
  return prefixOf(address, 64);
};

/** The /48 of an IPv6 address, the most that a provider gives one customer (65,536 networks). Undefined for IPv4. */
export const siteOf = (address: string): string | undefined =>
  networkOf(address).includes(":") ? prefixOf(address, 48) : undefined;
