import { type AttemptNeeds, type Attempts, countAll, type Limit, pardonAll } from "./attempts.ts";
import { createAttempts } from "./create-attempts.ts";
import { networkOf, siteOf } from "./network.rules.ts";

/** Limit of an IPv6 site as a multiple of a single network's: a site may be one customer or a campus. */
const siteShare = 7;

/** Counts failed tries by network; keys are client addresses. (decisions §5) */
export const createNetworkTries = (
  world: AttemptNeeds,
  name: string,
  { most, window }: Limit,
): Pick<Attempts, "check" | "count" | "pardon"> => {
  const byNetwork = createAttempts(world, `${name} network`, { most, window });
  const bySite = createAttempts(world, `${name} site`, { most: most * siteShare, window });
  const both = (address: string): readonly (readonly [Attempts, string])[] => {
    const site = siteOf(address);
    return [[byNetwork, networkOf(address)], ...(site === undefined ? [] : [[bySite, site] as const])];
  };
  return {
    check: async (address) => {
      for (const [attempts, key] of both(address)) await attempts.check(key);
    },
    count: (address) => countAll(both(address)),
    pardon: (address) => pardonAll(both(address)),
  };
};
