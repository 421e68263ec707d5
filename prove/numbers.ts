import type { Telemetry } from "@telltale/contract/device-api";

/** Determines the content of numbered messages, so that stored data can be compared with it. */
export interface Numbers {
  /** Time of message 0, epoch milliseconds. */
  since: number;
  codes: readonly string[];
  /** Every this many messages the first channel exceeds its High alarm, for one reading. */
  occurrenceEvery: number;
}

/** Milliseconds between two messages of a device, on its own clock. */
const step = 5;
/** A value beyond the default High alarm of AI1, and the number of values below it. */
const [beyond, usual] = [90, 50];

export const isOccurrence = ({ occurrenceEvery }: Numbers, n: number): boolean =>
  n % occurrenceEvery === occurrenceEvery - 1;

/** Message `n` with its time. */
export const timedMessage = (numbers: Numbers, n: number): Telemetry => {
  const value = (channel: number) => (channel === 0 && isOccurrence(numbers, n) ? beyond : (n + 7 * channel) % usual);
  return {
    ts: numbers.since + n * step,
    values: Object.fromEntries(numbers.codes.map((code, channel) => [code, value(channel)])),
  };
};

/** SQL expression: the number of the message with the time `ts`; not an integer when there was no such message. */
export const numberSql = ({ since }: Numbers): string => `(ts - ${since}) / ${step}.0`;

/** SQL expression: the value of a channel in message `n`, by the channel's index among the codes. */
export const valueSql = ({ occurrenceEvery }: Numbers, channel: number): string => {
  const value = `(n::bigint + ${7 * channel}) % ${usual}`;
  return channel === 0
    ? `CASE WHEN n::bigint % ${occurrenceEvery} = ${occurrenceEvery - 1} THEN ${beyond} ELSE ${value} END`
    : value;
};

const millionth = 1e6;

/** Message `n` without a time: its value encodes its number. */
export const untimedMessage = (n: number): Telemetry => ({ AI1: n / millionth });

/** SQL expression: the number of a message without a time. */
export const untimedNumberSql = `round(value * ${millionth})::numeric`;
