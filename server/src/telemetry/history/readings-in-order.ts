import type { Pool } from "pg";
import type { PackedHour, StoredReading } from "./packed-hour.ts";

const hour = 3_600_000;

/** Approximate readings per query: small to save memory, large enough to be efficient. */
const batchSize = 5_000;
/** Readings per yielded array: few, so that objects built from them are collected while young. */
const yieldSize = 200;

export interface ChannelReading extends StoredReading {
  channelId: number;
}

const countByHour = `
  SELECT hour, sum(count)::int AS count FROM (
    SELECT hour, count FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3
    UNION ALL
    SELECT (ts / ${hour})::int, count(*) FROM readings WHERE channel_id = ANY($1::int[]) AND ts BETWEEN $4 AND $5 GROUP BY 1
  ) AS counts GROUP BY hour ORDER BY hour`;

/** Packed and hot readings in one statement and thus one snapshot: an hour that is packed meanwhile is neither missed nor returned twice. */
const readHours = `
  SELECT channel_id, hour, steps, values, statuses, NULL::bigint[] AS times
    FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3
  UNION ALL
  SELECT channel_id, 0, NULL, array_agg(value ORDER BY ts, value), array_agg(status ORDER BY ts, value), array_agg(ts ORDER BY ts, value)
    FROM readings WHERE channel_id = ANY($1::int[]) AND ts BETWEEN $4 AND $5 GROUP BY channel_id`;

interface HoursRow extends PackedHour {
  channel_id: number;
  /** Times of hot readings; null for packed rows. */
  times: string[] | null;
}

/** Readings of one channel in time order, in columns: objects are created only when yielded. */
interface Run {
  channelId: number;
  times: number[];
  values: number[];
  statuses: number[];
  /** Index of the next reading. */
  at: number;
}

const good = 1;

const extend = (run: Run, { hour: at, steps, values, statuses, times }: HoursRow): void => {
  let ts = at * hour;
  values.forEach((value, index) => {
    ts = times ? Number(times[index]) : ts + (steps[index] ?? 0);
    run.times.push(ts);
    run.values.push(value);
    run.statuses.push(statuses?.[index] ?? good);
  });
};

/** One run per channel for its packed hours, and one for its hot readings. */
const runsOf = (rows: HoursRow[]): Run[] => {
  const runs = new Map<string, Run>();
  for (const row of rows.toSorted((a, b) => a.hour - b.hour)) {
    const key = `${row.channel_id} ${row.times ? "hot" : "packed"}`;
    const run = runs.get(key) ?? { channelId: row.channel_id, times: [], values: [], statuses: [], at: 0 };
    extend(run, row);
    runs.set(key, run);
  }
  return [...runs.values()];
};

/** Time of the next reading; infinity when the run is exhausted. */
const timeOf = ({ times, at }: Run): number => times[at] ?? Number.POSITIVE_INFINITY;
const measuredAt = ({ values, at }: Run): number => values[at] ?? Number.NaN;

/** Negative when the next reading of `a` precedes that of `b`; 0 when they are the same reading: a late one may be packed and, resent, also hot. */
const compareRuns = (a: Run, b: Run): number =>
  timeOf(a) - timeOf(b) || a.channelId - b.channelId || measuredAt(a) - measuredAt(b);

const firstOf = (runs: readonly Run[]): Run => runs.reduce((best, run) => (compareRuns(run, best) < 0 ? run : best));

const isUsedUp = ({ at, times }: Run): boolean => at >= times.length;

/** Advances every run whose next reading is this one. */
const pass = (runs: readonly Run[], { channelId, ts, value }: ChannelReading): void => {
  for (const run of runs)
    if (run.times[run.at] === ts && run.channelId === channelId && run.values[run.at] === value) run.at += 1;
};

function* merged(runs: Run[]): Generator<ChannelReading> {
  for (let open = runs; open.length > 0; ) {
    const first = firstOf(open);
    const reading = {
      channelId: first.channelId,
      ts: timeOf(first),
      value: measuredAt(first),
      status: first.statuses[first.at] ?? good,
    };
    yield reading;
    pass(open, reading);
    if (open.some(isUsedUp)) open = open.filter((run) => !isUsedUp(run));
  }
}

/** Groups adjacent hours into batches. */
const batchesOf = (counts: readonly { hour: number; count: number }[]): [first: number, last: number][] => {
  const batches: [number, number][] = [];
  let held = Number.POSITIVE_INFINITY;
  for (const { hour: at, count } of counts) {
    const current = batches.at(-1);
    if (current && held + count <= batchSize) current[1] = at;
    else batches.push([at, at]);
    held = current && held + count <= batchSize ? held + count : count;
  }
  return batches;
};

/**
 * Yields all readings of the channels from `from` to `to` (epoch milliseconds, both included), in time order, a batch of whole hours at a time. No
 * connection is held between batches, so that a slow consumer blocks no one.
 */
export async function* readingsInOrder(
  pool: Pool,
  channelIds: readonly number[],
  from: number,
  to: number,
): AsyncGenerator<ChannelReading[]> {
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const { rows: counts } = await pool.query(countByHour, [channelIds, ...hours, from, to]);
  for (const [first, last] of batchesOf(counts)) {
    const stretch = [Math.max(from, first * hour), Math.min(to, (last + 1) * hour - 1)] as const;
    const { rows } = await pool.query<HoursRow>(readHours, [channelIds, first, last, ...stretch]);
    let given: ChannelReading[] = [];
    for (const reading of merged(runsOf(rows))) {
      if (reading.ts < stretch[0] || reading.ts > stretch[1]) continue;
      if (given.push(reading) < yieldSize) continue;
      yield given;
      given = [];
    }
    if (given.length > 0) yield given;
  }
}

const anyReading = `
  SELECT EXISTS (SELECT 1 FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3)
      OR EXISTS (SELECT 1 FROM readings WHERE channel_id = ANY($1::int[]) AND ts BETWEEN $4 AND $5) AS found`;

/** Whether these channels have a reading in the hours of the range. */
export const hasReadings = async (
  pool: Pool,
  channelIds: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<boolean> => {
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const { rows } = await pool.query<{ found: boolean }>(anyReading, [channelIds, ...hours, from, to]);
  return rows[0]?.found ?? false;
};

const hotStretches = `
  SELECT s.place::int AS place FROM unnest($2::int8[], $3::int8[]) WITH ORDINALITY AS s(first, last, place)
   WHERE EXISTS (SELECT 1 FROM readings r WHERE r.channel_id = ANY($1::int[]) AND r.ts BETWEEN s.first AND s.last)`;

/** The ranges that hold unpacked readings: these have just arrived, or more may follow. */
export const hotAmong = async <S extends { from: number; to: number }>(
  pool: Pool,
  channelIds: readonly number[],
  stretches: readonly S[],
): Promise<Set<S>> => {
  if (stretches.length === 0) return new Set();
  const ends = [stretches.map(({ from }) => from), stretches.map(({ to }) => to)];
  const { rows } = await pool.query<{ place: number }>(hotStretches, [channelIds, ...ends]);
  return new Set(rows.flatMap(({ place }) => stretches[place - 1] ?? []));
};

const firstReading = `
  SELECT min(least((SELECT hour::bigint * ${hour} + steps[1] FROM packed_hours p WHERE p.channel_id = c.id ORDER BY hour LIMIT 1),
                   (SELECT ts FROM readings r WHERE r.channel_id = c.id ORDER BY ts LIMIT 1))) AS ts
    FROM unnest($1::int[]) AS c(id)`;

/** Time of the first reading of these channels, epoch milliseconds; null when there is none. */
export const firstReadingOf = async (pool: Pool, channelIds: readonly number[]): Promise<number | null> => {
  const { rows } = await pool.query<{ ts: number | null }>(firstReading, [channelIds]);
  return rows[0]?.ts ?? null;
};

const lastReading = `
  SELECT greatest((SELECT hour::bigint * ${hour} + (SELECT sum(step) FROM unnest(steps) AS step)
                     FROM packed_hours WHERE channel_id = $1 ORDER BY hour DESC LIMIT 1),
                  (SELECT ts FROM readings WHERE channel_id = $1 ORDER BY ts DESC LIMIT 1)) AS ts`;

/**
 * Device time of the last reading of this channel, epoch milliseconds; null when there is none. May be ahead of the server's clock, and of the
 * reading that counts as the newest.
 */
export const lastReadingOf = async (pool: Pool, channelId: number): Promise<number | null> => {
  const { rows } = await pool.query<{ ts: number | null }>(lastReading, [channelId]);
  return rows[0]?.ts ?? null;
};
