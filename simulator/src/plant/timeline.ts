import { type Random, random, seedFor } from "./random.ts";
import { type Influence, type Station, stationAt, stepStation } from "./station.ts";

/** Usual step of the plant in seconds; short for pumps that start and stop within minutes. */
export const usualStep = 10;

const twoDays = 2 * 86_400_000;

/** A plant on its way through time. */
export interface Timeline {
  readonly station: () => Station;
  /** One step to `ts` (epoch milliseconds) under what acts on it. */
  step: (ts: number, influence: Influence) => Station;
}

/** A plant that has settled by `from`: two days of calm run before it. The same seed and day give the same plant. */
export const createTimeline = (seed: number, from: number, calm: Influence): Timeline => {
  const draw: Random = random(seedFor(seed, "station"));
  // Starting at midnight makes two starts on one day agree.
  const start = Math.floor((from - twoDays) / 86_400_000) * 86_400_000;
  let station = stationAt(start);
  const step = (ts: number, influence: Influence): Station => {
    station = stepStation(station, (ts - station.ts) / 1000, influence, draw);
    return station;
  };
  while (station.ts < from) step(Math.min(from, station.ts + usualStep * 1000), calm);
  return { station: () => station, step };
};
