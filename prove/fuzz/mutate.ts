import type { Random } from "../random.ts";
import { oddText, oddValue } from "./odd-values.ts";

const mutatedList = (random: Random, list: readonly unknown[], share: number): unknown[] => {
  const changed = list.filter(() => !random.chance(share / 2)).map((item) => mutated(random, item, share));
  return random.chance(share / 4) ? [...changed, ...changed] : changed;
};

const mutatedFields = (random: Random, fields: object, share: number): Record<string, unknown> => {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (random.chance(share / 2)) return [];
    return [[random.chance(share / 2) ? oddText(random) : name, mutated(random, value, share)]];
  });
  if (random.chance(share)) entries.push([oddText(random), oddValue(random)]);
  return Object.fromEntries(entries);
};

/** The value with about this share of its parts omitted, duplicated, renamed or replaced. */
export const mutated = (random: Random, value: unknown, share = 0.2): unknown => {
  if (random.chance(share / 2)) return oddValue(random);
  if (Array.isArray(value)) return mutatedList(random, value, share);
  if (typeof value === "object" && value !== null) return mutatedFields(random, value, share);
  return random.chance(share) ? oddValue(random) : value;
};

type Damage = (bytes: Buffer, random: Random, at: number) => Buffer;

const damages: readonly Damage[] = [
  (bytes, random, at) => {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    return changed;
  },
  (bytes, _random, at) => bytes.subarray(0, at),
  (bytes, _random, at) => bytes.subarray(at),
  (bytes, random, at) => Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(8)), bytes.subarray(at)]),
  (bytes, random, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(8))]),
  (bytes, _random, at) => Buffer.concat([bytes, bytes.subarray(at)]),
  (bytes, random) => random.bytes(bytes.length),
];

/** The bytes with some of them changed, removed, inserted or repeated. */
export const damaged = (random: Random, bytes: Buffer): Buffer => {
  let changed = bytes;
  for (let times = 1 + random.below(3); times > 0; times -= 1)
    changed = random.pick(damages)(changed, random, random.below(Math.max(1, changed.length)));
  return changed;
};
