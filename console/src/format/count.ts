const format = new Intl.NumberFormat("en-US");

/** 12,345: how many there are of something. */
export const count = (number: number): string => format.format(number);
