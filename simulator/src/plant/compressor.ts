import { approach } from "./random.ts";
import { hourOf, isWeekend } from "./weather.ts";

/** An air compressor with its tank, which loads and unloads between two pressures. */
export interface Compressor {
  /** Pressure in the line, bar. */
  pressure: number;
  isLoaded: boolean;
  /** Temperature of the motor's winding, degrees Celsius. */
  winding: number;
  /** Air consumption of the workshop, m³/h of free air. */
  demand: number;
}

/** Bar at which it loads and unloads, and the pressure's overshoot; delivery in m³/h; tank volume in m³. */
const band = { load: 6.6, unload: 7.4, overshoot: 0.06 } as const;
const capacity = 92;
const tank = 2.5;
/** Temperature rise of the winding while compressing and while idling, degrees; time constant, seconds. */
const warmth = { loaded: 46, idle: 21, lag: 25 * 60 } as const;

/** Consumption of the workshop: leaks at night and at the weekend, tools on working days with a break at noon. */
const demandAt = (ts: number): number => {
  const hour = hourOf(ts);
  const isWorking = !isWeekend(ts) && hour > 6.5 && hour < 16.5 && (hour < 12 || hour > 12.6);
  const restless = 1 + 0.18 * Math.sin(ts / 311_000) + 0.12 * Math.sin(ts / 127_000);
  return isWorking ? 52 * restless : 7 + 0.6 * restless;
};

/** One step of the compressor in a room of `ambient` degrees. */
export const stepCompressor = (state: Compressor, dt: number, ts: number, ambient: number): Compressor => {
  const demand = demandAt(ts);
  const change = (((state.isLoaded ? capacity : 0) - demand) / 3600) * (dt / tank);
  const pressure = Math.min(
    band.unload + band.overshoot,
    Math.max(band.load - band.overshoot, state.pressure + change),
  );
  const isLoaded = state.isLoaded ? pressure < band.unload : pressure <= band.load;
  const target = ambient + (state.isLoaded ? warmth.loaded : warmth.idle);
  return { pressure, isLoaded, demand, winding: approach(state.winding, target, dt, warmth.lag) };
};

export const chargedCompressor: Compressor = { pressure: 7, isLoaded: false, winding: 42, demand: 8 };
