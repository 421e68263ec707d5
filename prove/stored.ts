import type { Client } from "pg";
import { isOccurrence, type Numbers, numberSql, untimedNumberSql, valueSql } from "./numbers.ts";
import { unpackedReadings } from "./unpacked.ts";

/** Differences between stored and sent data. */
export interface Comparison {
  expected: number;
  missing: number;
  /** Stored more than once, or never sent. */
  surplus: number;
}

export const sumOf = (parts: readonly Comparison[]): Comparison => ({
  expected: parts.reduce((sum, part) => sum + part.expected, 0),
  missing: parts.reduce((sum, part) => sum + part.missing, 0),
  surplus: parts.reduce((sum, part) => sum + part.surplus, 0),
});

export const isExact = ({ missing, surplus }: Comparison): boolean => missing === 0 && surplus === 0;

/**
 * SQL: all readings of a channel, unpacked ($1: times, $2: values) and packed; equal ones once, as every reader gives them. The unpacked ones are taken
 * before its statement: what is packed meanwhile is in both.
 */
const everyReading = (channelId: number): string => `
  SELECT ts, value FROM unnest($1::bigint[], $2::float8[]) AS hot(ts, value)
  UNION
  SELECT p.hour::bigint * 3600000 + sum(u.step) OVER (PARTITION BY p.hour ORDER BY u.place), u.value
    FROM packed_hours p CROSS JOIN LATERAL unnest(p.steps, p.values) WITH ORDINALITY AS u(step, value, place)
   WHERE p.channel_id = ${channelId}`;

/** Of the rows attributed to message `n`: their number, and how many of the sent messages are stored correctly. */
const compare = async (
  client: Client,
  rows: string,
  isRight: string,
  expected: number,
  values: number[][] = [],
): Promise<Comparison> => {
  const right = `n >= 0 AND n < ${expected} AND n = trunc(n) AND ${isRight}`;
  const sql = `SELECT count(*) AS found, count(DISTINCT n) FILTER (WHERE ${right}) AS kept FROM (${rows}) AS claims`;
  const [row] = (await client.query<{ found: number; kept: number }>(sql, values)).rows;
  const { found = 0, kept = 0 } = row ?? {};
  return { expected, missing: expected - kept, surplus: found - kept };
};

/** Compares a channel's readings with the content of messages 0 to `sent` - 1; `channel` is its index among the codes. */
export const compareReadings = async (
  client: Client,
  channelId: number,
  numbers: Numbers,
  channel: number,
  sent: number,
): Promise<Comparison> => {
  const rows = `SELECT value, ${numberSql(numbers)} AS n FROM (${everyReading(channelId)}) AS readings`;
  return compare(
    client,
    rows,
    `value = ${valueSql(numbers, channel)}`,
    sent,
    await unpackedReadings(client, channelId),
  );
};

/** The same for messages without a time: each number once, whatever its time. */
export const compareUntimed = async (client: Client, channelId: number, sent: number): Promise<Comparison> => {
  const rows = `SELECT ${untimedNumberSql} AS n FROM (${everyReading(channelId)}) AS readings`;
  return compare(client, rows, "true", sent, await unpackedReadings(client, channelId));
};

const limitAlerts = (channelId: number): string => `
  SELECT round(extract(epoch FROM created_time) * 1000) AS ts FROM alerts WHERE channel_id = ${channelId} AND alarm_class = 2`;

/** Compares the alerts of the first channel's limit with the occurrences in messages 0 to `sent` - 1. */
export const compareAlerts = async (
  client: Client,
  channelId: number,
  numbers: Numbers,
  sent: number,
): Promise<Comparison> => {
  const { occurrenceEvery } = numbers;
  const rows = `SELECT ${numberSql(numbers)} AS n FROM (${limitAlerts(channelId)}) AS raised`;
  const isRight = `trunc(n) % ${occurrenceEvery} = ${occurrenceEvery - 1}`;
  const found = await compare(client, rows, isRight, sent);
  const expected = Array.from({ length: sent }, (_, n) => n).filter((n) => isOccurrence(numbers, n)).length;
  return { expected, missing: expected - (sent - found.missing), surplus: found.surplus };
};
