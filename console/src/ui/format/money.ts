const format = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats cents as dollars with 2 decimals: $1,234.50. */
export const dollars = (cents: number): string => format.format(cents / 100);
