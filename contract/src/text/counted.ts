let format: Intl.NumberFormat | undefined;

/** Formats a count with thousands separators: 12,345. The format is made when a number needs them: a browser's first one takes it 10 ms or more. */
export const count = (number: number): string => {
  if (Number.isInteger(number) && Math.abs(number) < 1000) return String(number);
  format ??= new Intl.NumberFormat("en-US");
  return format.format(number);
};

/** `second` for 1, `seconds` for any other number. */
export const nounOf = (number: number, one: string, many = `${one}s`): string => (number === 1 ? one : many);

/** `1 second`, `12,345 seconds`. */
export const counted = (number: number, one: string, many?: string): string =>
  `${count(number)} ${nounOf(number, one, many)}`;
