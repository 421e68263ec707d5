import { type Random, wander } from "./random.ts";
import { hourOf, isWeekend } from "./weather.ts";

/** Water flowing into the wet well. */
export interface Inflow {
  /** Deviation of the day from average; wanders over a quarter of an hour. */
  mood: number;
  /** m³/h. */
  rate: number;
}

const bump = (hour: number, at: number, width: number): number => {
  const distance = Math.abs(((hour - at + 36) % 24) - 12);
  return Math.exp(-((distance / width) ** 2));
};

/** Usual inflow at a time of day, m³/h: low at night, a morning and an evening peak, both later at the weekend. */
const usualInflow = (ts: number): number => {
  const hour = hourOf(ts) - (isWeekend(ts) ? 1.5 : 0);
  return 9 + 22 * bump(hour, 7.5, 2.2) + 9 * bump(hour, 12.5, 3) + 19 * bump(hour, 19.5, 2.8);
};

/** One step of the inflow. `storm` is the additional rain: 0 none, 1 a storm that both pumps can't handle. */
export const stepInflow = (state: Inflow, dt: number, ts: number, storm: number, draw: Random): Inflow => {
  const mood = wander(state.mood, dt, 900, draw);
  return { mood, rate: Math.max(2, usualInflow(ts) * (1 + 0.07 * mood) + 72 * storm) };
};
