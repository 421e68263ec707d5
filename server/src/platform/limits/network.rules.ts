/** The eight groups of an IPv6 address that is written with or without its zeros. */
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
 * Whose tries an address counts for. Whoever has one IPv6 address has the whole /64 around it, and would have more tries than anybody can count;
 * an IPv4 address stands for itself, written as IPv6 too.
 */
export const networkOf = (address: string): string => {
  const [, mapped] = ipv4Mapped.exec(address) ?? [];
  if (mapped || !address.includes(":")) return mapped ?? address;
  return prefixOf(address, 64);
};

/** The IPv6 site an address belongs to: a provider gives a customer up to a /48, which is 65,536 networks. An IPv4 address has none. */
export const siteOf = (address: string): string | undefined =>
  networkOf(address).includes(":") ? prefixOf(address, 48) : undefined;
