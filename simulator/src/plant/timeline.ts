import { type Random, random, seedFor } from "./random.ts";
import { type Influence, type Station, stationAt, stepStation } from "./station.ts";

/** Default step of the plant in seconds; short because pumps start and stop within minutes. */
export const usualStep = 10;

const twoDays = 2 * 86_400_000;

/** A plant advancing through time. */
export interface Timeline {
  readonly station: () => Station;
  /** One step to `ts` (epoch milliseconds) under these influences. */
  step: (ts: number, influence: Influence) => Station;
}

/** A plant in steady state at `from`: two days of normal operation are simulated before it. The same seed and day give the same plant. */
export const createTimeline = (seed: number, from: number, calm: Influence): Timeline => {
  const draw: Random = random(seedFor(seed, "station"));
  // Starting at midnight makes two starts on the same day equal.
  const start = Math.floor((from - twoDays) / 86_400_000) * 86_400_000;
  let station = stationAt(start);
  const step = (ts: number, influence: Influence): Station => {
    station = stepStation(station, (ts - station.ts) / 1000, influence, draw);
    return station;
  };
  while (station.ts < from) step(Math.min(from, station.ts + usualStep * 1000), calm);
  return { station: () => station, step };
};
