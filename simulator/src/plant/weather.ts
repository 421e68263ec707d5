import { type Random, wander } from "./random.ts";

/** Weather around the station: what the fronts of the last days left behind. */
export interface Weather {
  /** Warmer (positive) or colder than the season; wanders over about two days. */
  front: number;
  /** Degrees Celsius. */
  temperature: number;
  /** Relative humidity, percent. */
  humidity: number;
  /** Daylight, lux. */
  illuminance: number;
}

const day = 86_400;
const year = 365.25 * day;
const twoDays = 2 * day;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Hours since midnight UTC of a time in epoch milliseconds. */
export const hourOf = (ts: number): number => (ts / 3_600_000) % 24;

/** One step of the weather: a yearly and a daily wave with fronts on top. Humidity falls as the day warms up. */
export const stepWeather = (state: Weather, dt: number, ts: number, draw: Random): Weather => {
  const front = wander(state.front, dt, twoDays, draw);
  const season = -Math.cos((2 * Math.PI * (ts / 1000 - 20 * day)) / year);
  const daily = -Math.cos((2 * Math.PI * (hourOf(ts) - 3.5)) / 24);
  const swing = 4.2 + 1.6 * season;
  const temperature = 12 + 8.5 * season + 2.6 * front + swing * daily;
  const humidity = clamp(70 - 2.4 * swing * daily - 5 * front, 18, 99);
  const sun = Math.max(0, Math.sin((Math.PI * (hourOf(ts) - 6)) / 12));
  const illuminance = 12 + 42_000 * sun * clamp(0.75 + 0.15 * front, 0.25, 1);
  return { front, temperature, humidity, illuminance };
};

export const fairWeather: Weather = { front: 0, temperature: 12, humidity: 70, illuminance: 0 };
