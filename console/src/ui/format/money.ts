const format = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** $1,234.50: an amount of cents in dollars, with 2 decimals. */
export const dollars = (cents: number): string => format.format(cents / 100);
