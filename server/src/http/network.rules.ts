/** The eight groups of an IPv6 address that is written with or without its zeros. */
const groupsOf = (address: string): string[] => {
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
};

const ipv4Mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Whose tries an address counts for. Whoever has one IPv6 address has the whole /64 around it, and would have more tries than anybody can count;
 * an IPv4 address stands for itself, written as IPv6 too.
 */
export const networkOf = (address: string): string => {
  const [, mapped] = ipv4Mapped.exec(address) ?? [];
  if (mapped || !address.includes(":")) return mapped ?? address;
  const network = groupsOf(address).slice(0, 4);
  return `${network.map((group) => group.toLowerCase().replace(/^0+(?=.)/, "")).join(":")}::/64`;
};
