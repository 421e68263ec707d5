import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type Block, blocksOf } from "./blocks.ts";
import { epochOf } from "./cells.ts";
import { BadSource, type Into, type ReadingOptions, type SeriesName, type Source } from "./source.ts";

const [backslash, quoteMark] = ["\\", '"'];

/** Index of the next `wanted` from `start` on that is not escaped, nor in quotes where these count; the end of the text when there is none. */
const nextOf = (text: string, wanted: string, start: number, hasQuotes: boolean): number => {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === backslash) at += 1;
    else if (hasQuotes && letter === quoteMark) isQuoted = !isQuoted;
    else if (letter === wanted && !isQuoted) return at;
  }
  return text.length;
};

/** As `nextOf`, without looking at each letter where nothing is escaped. */
const find = (text: string, wanted: string, start: number, hasQuotes: boolean, isSimple: boolean): number => {
  if (!isSimple) return nextOf(text, wanted, start, hasQuotes);
  const found = text.indexOf(wanted, start);
  return found < 0 ? text.length : found;
};

const unescaped = (text: string): string => (text.includes(backslash) ? text.replaceAll(/\\([,= \\])/g, "$1") : text);

/** Splits at what is not escaped or in quotes. */
const splitAt = (text: string, wanted: string, hasQuotes: boolean, isSimple: boolean): string[] => {
  if (isSimple) return text.split(wanted);
  const parts: string[] = [];
  for (let start = 0; start <= text.length; ) {
    const end = nextOf(text, wanted, start, hasQuotes);
    parts.push(text.slice(start, end));
    start = end + 1;
  }
  return parts;
};

interface Measurement {
  name: string;
  device: string;
}

/**
 * Measurement and device of a line's key, such as `pumps,device=P1,site=north`. The device is the value of the tag that is named, or else of the only
 * tag; without tags it is the measurement.
 */
const measurementOf = (key: string, { deviceTag, device }: ReadingOptions): Measurement => {
  const [name = "", ...tags] = splitAt(key, ",", false, !key.includes(backslash));
  const values = new Map(
    tags.map((tag) => {
      const at = nextOf(tag, "=", 0, false);
      return [unescaped(tag.slice(0, at)), unescaped(tag.slice(at + 1))] as const;
    }),
  );
  const [only] = values.values();
  const named = deviceTag === undefined ? undefined : values.get(deviceTag);
  if (named !== undefined) return { name: unescaped(name), device: named };
  if (device !== undefined) return { name: unescaped(name), device };
  if (deviceTag === undefined && values.size <= 1) return { name: unescaped(name), device: only ?? unescaped(name) };
  throw new BadSource(
    deviceTag === undefined
      ? `The series ${key} has the tags ${[...values.keys()].join(", ")}: say which of them names the device, as in --device-tag ${[...values.keys()][0]}`
      : `The series ${key} has no tag ${deviceTag}: name another by --device-tag, or the device of all by --device`,
  );
};

/** A field is a channel; the usual `value` is named by its measurement. */
const nameOf = ({ name, device }: Measurement, field: string): SeriesName =>
  field === "value"
    ? { device, channel: name, also: [field, `${name}.${field}`] }
    : { device, channel: field, also: [`${name}.${field}`] };

const truths = new Set(["t", "T", "true", "True", "TRUE"]);
const lies = new Set(["f", "F", "false", "False", "FALSE"]);

/** A field's value; NaN for what is none, and for texts. */
const numberOf = (text: string): number => {
  const last = text.at(-1);
  const value = Number(last === "i" || last === "u" ? text.slice(0, -1) : text);
  if (Number.isFinite(value) && text !== "" && last !== quoteMark) return value === 0 ? 0 : value;
  if (truths.has(text)) return 1;
  return lies.has(text) ? 0 : Number.NaN;
};

interface Line {
  key: string;
  fields: string;
  time: string;
  isSimple: boolean;
}

const partsOf = (text: string): Line | undefined => {
  const isSimple = !text.includes(backslash) && !text.includes(quoteMark);
  const end = find(text, " ", 0, false, isSimple);
  const stop = find(text, " ", end + 1, true, isSimple);
  if (end === text.length) return undefined;
  return { key: text.slice(0, end), fields: text.slice(end + 1, stop), time: text.slice(stop + 1).trim(), isSimple };
};

/** Lines that are no readings: comments, and statements that create the database. */
const isAside = (text: string): boolean => text.startsWith("#") || /^CREATE (DATABASE|RETENTION POLICY) /.test(text);

const eachLine = ({ text, line }: Block, take: (text: string, line: number) => void): void => {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const each = lines[at]?.trim() ?? "";
    if (each !== "" && !isAside(each)) take(each, line + at);
  }
};

const separator = "\u0000";

const createReader = (options: ReadingOptions) => {
  const { precision = "ns" } = options;
  /** By key and field. */
  const known = new Map<string, Map<string, number>>();
  const seriesOf = (into: Pick<Into, "seriesOf">, key: string, field: string): number => {
    const fields = known.get(key) ?? new Map<string, number>();
    if (fields.size === 0) known.set(key, fields);
    const found = fields.get(field);
    if (found !== undefined) return found;
    const series = into.seriesOf(`${key}${separator}${field}`, () =>
      nameOf(measurementOf(key, options), unescaped(field)),
    );
    fields.set(field, series);
    return series;
  };
  return {
    look: (block: Block, into: Pick<Into, "seriesOf">) =>
      eachLine(block, (text) => {
        const parts = partsOf(text);
        if (!parts) return;
        for (const field of splitAt(parts.fields, ",", true, parts.isSimple)) {
          const equals = find(field, "=", 0, false, parts.isSimple);
          // A text is refused when it is read: its series needs no channel.
          if (equals < field.length && field[equals + 1] !== quoteMark)
            seriesOf(into, parts.key, field.slice(0, equals));
        }
      }),
    read: (block: Block, into: Into) =>
      eachLine(block, (text, line) => {
        const parts = partsOf(text);
        if (!parts?.fields.includes("=")) return into.unreadable(line, "it is no line protocol");
        if (parts.time === "") return into.unreadable(line, "it has no time");
        const ts = epochOf(parts.time, precision);
        if (Number.isNaN(ts)) return into.unreadable(line, `"${parts.time}" is no time`);
        for (const field of splitAt(parts.fields, ",", true, parts.isSimple)) {
          const equals = find(field, "=", 0, false, parts.isSimple);
          const written = field.slice(equals + 1);
          const value = numberOf(written);
          if (!Number.isNaN(value))
            into.reading(seriesOf(into, parts.key, field.slice(0, equals)), ts, value, ReadingStatus.good, line);
          else
            into.unreadable(
              line,
              written.startsWith(quoteMark) ? `${written} is a text and no number` : `"${written}" is no number`,
            );
        }
      }),
  };
};

/** A file of InfluxDB's line protocol, as `influxd inspect export-lp` and `influx_inspect export` write it. */
export const openLineProtocol = async (file: string, options: ReadingOptions): Promise<Source> => {
  const { look, read } = createReader(options);
  return {
    namesFirst: false,
    unit: "line",
    portions: async function* (from) {
      for await (const block of blocksOf(file, from, false))
        yield {
          read: (into) => read(block, into),
          look: (into) => look(block, into),
          end: block.end,
          done: block.done,
        };
    },
  };
};
