/** Figures from this magnitude on are written with an exponent, because they would not fit any tile. */
const largest = 1e12;

/** A number with a fixed number of decimals, so that figures do not jump; never `-0.00`. */
export const withDecimals = (value: number, decimals: number): string => {
  if (Math.abs(value) >= largest) return value.toExponential(3);
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
};
