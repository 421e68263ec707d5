const hour = 3_600_000;
const day = 24 * hour;

/** Limits of requests to contacts by mail or SMS: per address for all plants together, and per plant. */
const limits = { addressPerHour: 3, addressPerDay: 6, plantPerHour: 60 } as const;

/** How long a refused plant may not ask the same address again, milliseconds. */
export const refusalLength = 90 * day;

/** Start of the periods for the hourly and daily limits. */
export const hourBefore = (now: Date): Date => new Date(now.getTime() - hour);
export const dayBefore = (now: Date): Date => new Date(now.getTime() - day);

/** Earlier requests. */
export interface EarlierRequests {
  /** Requests to this address within the last day, by any plant. */
  address: readonly Date[];
  /** Requests of the plant within the last hour. */
  plant: readonly Date[];
}

/** Milliseconds until the limit allows another request; 0 when it does now. */
const waitFor = (times: readonly Date[], most: number, length: number, now: Date): number => {
  const recent = times.map((time) => time.getTime()).filter((time) => time > now.getTime() - length);
  const oldest = recent.toSorted((a, b) => b - a)[most - 1];
  return oldest === undefined ? 0 : oldest + length - now.getTime();
};

/** Milliseconds until a request may be sent; 0 when it may be sent now. */
export const waitBeforeRequest = ({ address, plant }: EarlierRequests, now: Date): number =>
  Math.max(
    waitFor(address, limits.addressPerHour, hour, now),
    waitFor(address, limits.addressPerDay, day, now),
    waitFor(plant, limits.plantPerHour, hour, now),
  );

/** Wrong tries until a new code is needed, and the lifetime of a code in milliseconds. */
export const codeTries = 5;
export const codeLife = 15 * 60_000;
