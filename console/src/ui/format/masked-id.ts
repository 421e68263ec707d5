/** Masks a device ID except for its last 4 characters: `***41A7`. (spec 1 §9) */
export const maskedId = (deviceSnId: string): string => `***${deviceSnId.slice(-4)}`;
