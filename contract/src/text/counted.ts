const format = new Intl.NumberFormat("en-US");

/** Formats a count with thousands separators: 12,345. */
export const count = (number: number): string => format.format(number);

/** `second` for 1, `seconds` for any other number. */
export const nounOf = (number: number, one: string, many = `${one}s`): string => (number === 1 ? one : many);

/** `1 second`, `12,345 seconds`. */
export const counted = (number: number, one: string, many?: string): string =>
  `${count(number)} ${nounOf(number, one, many)}`;
