let format: Intl.NumberFormat | undefined;

/** Formats cents as dollars with 2 decimals: $1,234.50. */
export const dollars = (cents: number): string => {
  format ??= new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  return format.format(cents / 100);
};
