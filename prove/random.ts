/** Reproducible randomness: the same seed gives the same numbers, so that a finding can be reproduced. */
export interface Random {
  /** An integer from 0 to below `count`. */
  below(count: number): number;
  /** True with this probability, 0 to 1. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** Mulberry32: small, fast, and random enough for choosing test cases. */
const numbersOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The random numbers of one case; each case of a run has its own, so that it can be reproduced without the previous ones. */
export const createRandom = (seed: number, number = 0): Random => {
  const next = numbersOf(seed + Math.imul(number, 0x9e3779b1));
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (list.length === 0) throw new Error("There is nothing to choose from");
      return picked as (typeof list)[number];
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
};

/** PROVE_SEED, or a new seed; it is printed, so that a run can be repeated. */
export const seedOfRun = (): number => {
  const seed = Number(process.env.PROVE_SEED ?? Date.now() % 2 ** 31);
  process.stderr.write(`PROVE_SEED=${seed}\n`);
  return seed;
};
