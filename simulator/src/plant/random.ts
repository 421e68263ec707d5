/** Draws the next number of a sequence, in [0, 1). */
export type Random = () => number;

/** A repeatable sequence for a seed (mulberry32): the same seed gives the same plant. */
export const random = (seed: number): Random => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** A separate seed for each part of a plant, so that a new device does not change the others' numbers. (FNV-1a) */
export const seedFor = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash | 0;
};

/** Approximately normal noise with mean 0 and deviation 1, at most 3.5: the sum of four uniform draws. */
export const noise = (draw: Random): number => (draw() + draw() + draw() + draw() - 2) * 1.732;

/** A number between two bounds. */
export const between = (draw: Random, from: number, to: number): number => from + (to - from) * draw();

/** One step of a mean-reverting random walk with deviation 1 and a correlation time of `memory` seconds. */
export const wander = (value: number, dt: number, memory: number, draw: Random): number => {
  const kept = Math.exp(-dt / memory);
  return value * kept + Math.sqrt(1 - kept * kept) * noise(draw);
};

/** One step of a first-order lag from `value` towards `target` with time constant `tau`, exact for any `dt` (all in seconds). */
export const approach = (value: number, target: number, dt: number, tau: number): number =>
  target + (value - target) * Math.exp(-dt / tau);
