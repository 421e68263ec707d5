const hour = 3_600_000;
const day = 24 * hour;

/** Mails or SMS that ask somebody to be a contact: of one address, by all plants together, and of one plant. */
const limits = { addressPerHour: 3, addressPerDay: 6, plantPerHour: 60 } as const;

/** For how long a plant that was refused may not ask there again, milliseconds. */
export const refusalLength = 90 * day;

/** Since when requests are looked at, for the limits of an hour and of a day. */
export const hourBefore = (now: Date): Date => new Date(now.getTime() - hour);
export const dayBefore = (now: Date): Date => new Date(now.getTime() - day);

/** What was asked before. */
export interface AskedBefore {
  /** When this address was asked within the last day, by anybody. */
  address: readonly Date[];
  /** When the plant has asked anybody within the last hour. */
  plant: readonly Date[];
}

/** Milliseconds until the time is over that so many of these fill; 0 when there are fewer. */
const waitFor = (times: readonly Date[], most: number, length: number, now: Date): number => {
  const recent = times.map((time) => time.getTime()).filter((time) => time > now.getTime() - length);
  const oldest = recent.toSorted((a, b) => b - a)[most - 1];
  return oldest === undefined ? 0 : oldest + length - now.getTime();
};

/** Milliseconds until somebody may be asked (once more); 0 when that may be done now. */
export const waitToAsk = ({ address, plant }: AskedBefore, now: Date): number =>
  Math.max(
    waitFor(address, limits.addressPerHour, hour, now),
    waitFor(address, limits.addressPerDay, day, now),
    waitFor(plant, limits.plantPerHour, hour, now),
  );

/** Wrong codes until a phone needs another one, and for how long one works, milliseconds. */
export const codeTries = 5;
export const codeLife = 15 * 60_000;
