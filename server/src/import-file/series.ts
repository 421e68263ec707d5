import type { Into, SeriesName } from "./source.ts";

/** The series of a file by their identities, numbered from 0. */
export interface SeriesTable extends Pick<Into, "seriesOf"> {
  names: readonly SeriesName[];
}

export const createSeries = (): SeriesTable => {
  const numbers = new Map<string, number>();
  const names: SeriesName[] = [];
  return {
    names,
    seriesOf: (identity, nameOf) => {
      const known = numbers.get(identity);
      if (known !== undefined) return known;
      numbers.set(identity, names.length);
      return names.push(nameOf()) - 1;
    },
  };
};

/** Readings in columns, one channel after the other, as they are sent. */
export interface Columns {
  deviceChannelIds: number[];
  counts: number[];
  times: number[];
  values: number[];
  statuses: number[];
  /** Line of each reading. */
  lines: number[];
}

interface Growing {
  times: number[];
  values: number[];
  statuses: number[];
  lines: number[];
}

/** Gathers the readings of channels until they are sent. */
export interface Gathering {
  add(channelId: number, time: number, value: number, status: number, line: number): void;
  count(): number;
  /** What was gathered, and begins anew. */
  take(): Columns;
}

export const createGathering = (): Gathering => {
  let channels = new Map<number, Growing>();
  let count = 0;
  return {
    add: (channelId, time, value, status, line) => {
      const of = channels.get(channelId) ?? { times: [], values: [], statuses: [], lines: [] };
      if (of.times.length === 0) channels.set(channelId, of);
      of.times.push(time);
      of.values.push(value);
      of.statuses.push(status);
      of.lines.push(line);
      count += 1;
    },
    count: () => count,
    take: () => {
      const all = [...channels.values()];
      const columns = {
        deviceChannelIds: [...channels.keys()],
        counts: all.map(({ times }) => times.length),
        times: all.flatMap(({ times }) => times),
        values: all.flatMap(({ values }) => values),
        statuses: all.flatMap(({ statuses }) => statuses),
        lines: all.flatMap(({ lines }) => lines),
      };
      channels = new Map();
      count = 0;
      return columns;
    },
  };
};
