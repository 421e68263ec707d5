/** A device ID of which only the last 4 characters are shown: `***41A7`. (spec 1 §9) */
export const maskedId = (deviceSnId: string): string => `***${deviceSnId.slice(-4)}`;
