/** Number of device groups. Part of the stored keys: must never change. */
const groupCount = 64;

/** The group of a device, by which readings are stored and merged. Neighbouring devices share one, since a plant's devices are added together. */
export const groupOf = (deviceId: number): number => (deviceId >> 4) % groupCount;

/** SQL: the group of the device in a column. */
export const groupIn = (column: string): string => `((${column} >> 4) % ${groupCount})::int2`;
