import { ReadingStatus } from "@telltale/contract/domains/channels";
import { z } from "zod";
import { firstBytes, wholeText } from "./blocks.ts";
import { createValues, noNumber } from "./cells.ts";
import { openCsv } from "./csv.ts";
import { BadSource, type Into, type Portion, type ReadingOptions, type Source } from "./source.ts";

/** Readings of a portion. */
const portionSize = 20_000;

/** Largest JSON document, bytes: it is in memory as a whole. */
const largest = 256 * 1024 * 1024;

const Entry = z.object({ ts: z.number(), value: z.unknown() });
const Series = z.record(z.string(), z.array(Entry));

/** What `/api/plugins/telemetry/…/values/timeseries` answers for a device, or such answers by device. */
const Answer = z.union([Series, z.record(z.string(), Series)]);

interface Point {
  device: string;
  key: string;
  ts: number;
  value: unknown;
}

const isSeries = (answer: z.output<typeof Answer>): answer is z.output<typeof Series> =>
  Object.values(answer).every(Array.isArray);

const pointsOf = (series: z.output<typeof Series>, device: string): Point[] =>
  Object.entries(series).flatMap(([key, entries]) => entries.map(({ ts, value }) => ({ device, key, ts, value })));

const separator = "\u0000";

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const openJson = async (file: string, options: ReadingOptions): Promise<Source> => {
  const answer = Answer.safeParse(parsed(await wholeText(file, largest)));
  if (!answer.success)
    throw new BadSource(
      `${file} is not what ThingsBoard's API answers: {"temperature": [{"ts": 1700000000000, "value": "23.1"}]}`,
    );
  if (isSeries(answer.data) && options.device === undefined)
    throw new BadSource(`${file} does not name its device: name it, as in --device "Pump house 2"`);
  const points = isSeries(answer.data)
    ? pointsOf(answer.data, options.device ?? "")
    : Object.entries(answer.data).flatMap(([device, series]) => pointsOf(series, device));
  const numberOf = createValues(options);
  const seriesIn = (into: Pick<Into, "seriesOf">, { device, key }: Point): number =>
    into.seriesOf(`${device}${separator}${key}`, () => ({ device, channel: key }));
  const portionOf = (from: number): Portion => {
    const part = points.slice(from, from + portionSize);
    const end = from + part.length;
    return {
      look: (into) => {
        for (const point of part) seriesIn(into, point);
      },
      read: (into) => {
        for (const [at, point] of part.entries()) {
          const text = String(point.value);
          const value = numberOf(text);
          // Counted as its place among the readings: lines mean nothing in JSON.
          const place = from + at + 1;
          if (Number.isNaN(value)) into.unreadable(place, `${point.key}: ${noNumber(text, options)}`);
          else into.reading(seriesIn(into, point), point.ts, value, ReadingStatus.good, place);
        }
      },
      end: { position: end, line: end },
      done: end / points.length,
    };
  };
  return {
    namesFirst: false,
    unit: "reading",
    portions: async function* ({ position }) {
      for (let from = position; from < points.length; from += portionSize) yield portionOf(from);
    },
  };
};

/** What ThingsBoard exports: the JSON of its API, or the CSV of a widget, which has a column Timestamp and one a key. */
export const openThingsboard = async (file: string, options: ReadingOptions): Promise<Source> => {
  const isJson = (await firstBytes(file)).toString("utf8").trimStart().startsWith("{");
  return isJson ? openJson(file, options) : openCsv(file, options);
};
