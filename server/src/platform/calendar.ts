/** The same date and time `years` later (UTC). 29 February becomes 28 February in other than leap years. */
export const yearsAfter = (time: Date, years: number): Date => {
  const later = new Date(time);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  if (later.getUTCMonth() !== time.getUTCMonth()) later.setUTCDate(0);
  return later;
};
