/** The same day and time so many years later (UTC). 29 February becomes 28 February where there is none. */
export const yearsAfter = (time: Date, years: number): Date => {
  const later = new Date(time);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  if (later.getUTCMonth() !== time.getUTCMonth()) later.setUTCDate(0);
  return later;
};
