/** Weather around the station, caused by the fronts of the last days. */
export interface Weather {
  /** Warmer (positive) or colder than the season; changes over days. */
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
/** Days between fronts of several kinds; together they do not repeat within years. */
const fronts = [1.73, 2.91, 4.37, 7.13, 11.9] as const;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Hours since midnight UTC of a time in epoch milliseconds. */
export const hourOf = (ts: number): number => (ts / 3_600_000) % 24;

export const isWeekend = (ts: number): boolean => {
  const weekday = Math.floor(ts / 86_400_000 + 4) % 7;
  return weekday === 0 || weekday === 6;
};

/** The front of a moment, with deviation 1. A function of the date, so that the weather continues when a plant is restarted. */
const frontAt = (ts: number): number =>
  0.63 * fronts.reduce((sum, days, i) => sum + Math.sin((2 * Math.PI * ts) / (days * day * 1000) + 2.4 * i), 0);

/** Where the station is, radians north. */
const latitude = 0.899;

/** Sine of the sun's height over the horizon: short days in winter. */
const sunAt = (ts: number): number => {
  const declination = 0.409 * Math.sin((2 * Math.PI * (ts / 1000 - 80 * day)) / year);
  const turned = (Math.PI * (hourOf(ts) - 12)) / 12;
  return Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(turned);
};

/** The weather of a moment: a yearly and a daily wave plus fronts. Humidity falls as the day warms up. */
export const weatherAt = (ts: number): Weather => {
  const front = frontAt(ts);
  const season = -Math.cos((2 * Math.PI * (ts / 1000 - 20 * day)) / year);
  const daily = -Math.cos((2 * Math.PI * (hourOf(ts) - 3.5)) / 24);
  const swing = 4.2 + 1.6 * season;
  const temperature = 12 + 8.5 * season + 2.6 * front + swing * daily;
  const humidity = clamp(70 - 2.4 * swing * daily - 5 * front, 18, 99);
  const illuminance = 12 + 78_000 * Math.max(0, sunAt(ts)) * clamp(0.62 + 0.3 * front, 0.15, 1);
  return { front, temperature, humidity, illuminance };
};
