import type { Clock } from "../clock.ts";
import { type Attempts, createAttempts, type Limit } from "./attempts.ts";
import { networkOf, siteOf } from "./network.rules.ts";

/** Limit of an IPv6 site as a multiple of a single network's: a site may be one customer or a campus. */
const siteShare = 7;

/** Counts failed tries by network; keys are client addresses. (decisions §5) */
export const createNetworkTries = (clock: Clock, { most, window }: Limit): Omit<Attempts, "forget"> => {
  const byNetwork = createAttempts(clock, { most, window });
  const bySite = createAttempts(clock, { most: most * siteShare, window });
  const both = (address: string, act: (tries: Attempts, key: string) => void): void => {
    const site = siteOf(address);
    act(byNetwork, networkOf(address));
    if (site !== undefined) act(bySite, site);
  };
  return {
    check: (address) => both(address, (tries, key) => tries.check(key)),
    failed: (address) => both(address, (tries, key) => tries.failed(key)),
    pardon: (address) => both(address, (tries, key) => tries.pardon(key)),
  };
};
