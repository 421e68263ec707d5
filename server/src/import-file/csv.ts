import { ReadingStatus } from "@telltale/contract/domains/channels";
import { parse } from "csv-parse/sync";
import { type Block, blocksOf, firstBlock } from "./blocks.ts";
import { createTimes, createValues, noNumber, statusOf } from "./cells.ts";
import { BadSource, type Into, type ReadingOptions, type SeriesName, type Source } from "./source.ts";

/** Names of columns, in small letters without spaces and underscores. */
const columnWords = {
  time: ["time", "timestamp", "ts", "datetime", "date"],
  device: ["device", "devicename", "deviceid", "entity", "entityname"],
  channel: ["channel", "channelcode", "channelname", "key", "tag", "signal", "field", "series"],
  value: ["value"],
  status: ["status", "quality"],
} as const;

/** Names that no measured channel has, so that a column of them is never one of values. */
const surelyChannels: ReadonlySet<string> = new Set(["channel", "channelcode", "channelname"]);

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_]/g, "");

/** Index of the column of this meaning; -1 when there is none. */
const columnOf = (header: readonly string[], meaning: keyof typeof columnWords): number =>
  header.findIndex((name) => columnWords[meaning].some((word) => word === plain(name)));

interface Layout {
  delimiter: string;
  /** Line of the header, from 1. */
  line: number;
  header: string[];
  time: number;
  /** -1: no column names the device, or the channel. */
  device: number;
  channel: number;
}

const delimiters = [",", ";", "\t"] as const;

const delimiterOf = (line: string): string =>
  delimiters.reduce((best, each) => (line.split(each).length > line.split(best).length ? each : best), ",");

/** Finds the header: the first line that is not blank and no comment. */
const layoutOf = ({ text }: Block, file: string, options: ReadingOptions): Layout => {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
  const written = lines[at] ?? "";
  const delimiter = options.delimiter ?? delimiterOf(written);
  const [header = []]: string[][] = parse(written, { delimiter, trim: true, relax_quotes: true });
  const [time, device] = [columnOf(header, "time"), columnOf(header, "device")];
  if (time < 0)
    throw new BadSource(
      `${file}:${at + 1}: no column is called time or timestamp; the columns are ${header.join(", ") || "none"}. Name one so, or the delimiter by --delimiter`,
    );
  const twice = header.find((name, index) => name !== "" && header.indexOf(name) !== index);
  if (twice !== undefined)
    throw new BadSource(`${file}:${at + 1}: two columns are called ${twice}: name each otherwise`);
  const hasValues = columnOf(header, "value") >= 0;
  if (!hasValues && header.some((name) => surelyChannels.has(plain(name))))
    throw new BadSource(
      `${file}:${at + 1}: a column names the channel, and none is called value; the columns are ${header.join(", ")}. Name the readings' column so`,
    );
  return { delimiter, line: at + 1, header, time, device, channel: hasValues ? columnOf(header, "channel") : -1 };
};

type Row = (cells: readonly string[], line: number) => void;

/** Calls `take` for each line after the header that is not blank. Blocks without quotes are only split, which is several times as fast as a parser. */
const eachRow = (block: Block, { delimiter, line: headerLine }: Layout, take: Row): void => {
  const { text, line } = block;
  if (text.includes('"')) {
    const onRecord = (cells: string[], { lines }: { lines: number }): null => {
      const at = line + lines - 1;
      if (at > headerLine) take(cells, at);
      return null;
    };
    const tolerant = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
    parse(text, { delimiter, ...tolerant, on_record: onRecord });
    return;
  }
  let at = line;
  for (let start = 0; start < text.length; at++) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const last = text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    if (last > start && at > headerLine) take(text.slice(start, last).split(delimiter), at);
    start = end + 1;
  }
};

/** The name of a column of values: with a device in front where the header has one, as `Pump/AI1`. */
const columnName = (header: string, device: string): SeriesName => {
  const slash = header.lastIndexOf("/");
  if (device !== "" || slash < 0) return { device, channel: header };
  return { device: header.slice(0, slash), channel: header.slice(slash + 1) };
};

const separator = "\u0000";

/** The series of a device and a channel that lines name. Files name them in runs: the last one is not looked up. */
const createLookUp = (into: Pick<Into, "seriesOf">) => {
  let [lastDevice, lastChannel, series] = [separator, separator, -1];
  return (device: string, channel: string): number => {
    if (device === lastDevice && channel === lastChannel) return series;
    [lastDevice, lastChannel] = [device, channel];
    series = into.seriesOf(`${device}${separator}${channel}`, () => ({ device, channel }));
    return series;
  };
};

/** Reads a line a reading: time, device, channel, value and perhaps a status. */
const longRows = (layout: Layout, options: ReadingOptions) => {
  const { header, time, device, channel } = layout;
  const [value, status] = [columnOf(header, "value"), columnOf(header, "status")];
  const [timeOf, numberOf] = [createTimes(options), createValues(options)];
  const nameOf = (cells: readonly string[]): [string, string] => [
    device < 0 ? (options.device ?? "") : (cells[device]?.trim() ?? ""),
    cells[channel]?.trim() ?? "",
  ];
  return {
    look: (block: Block, into: Pick<Into, "seriesOf">) => {
      const seriesOf = createLookUp(into);
      eachRow(block, layout, (cells) => {
        if (cells.length > channel && cells.length > device) seriesOf(...nameOf(cells));
      });
    },
    read: (block: Block, into: Into) => {
      const seriesOf = createLookUp(into);
      eachRow(block, layout, (cells, line) => {
        if (cells.length < header.length && cells.length <= Math.max(time, device, channel, value))
          return into.unreadable(line, `it has ${cells.length} columns of ${header.length}`);
        const [written = "", measured = ""] = [cells[time]?.trim(), cells[value]?.trim()];
        const [ts, number] = [timeOf(written), numberOf(measured)];
        if (Number.isNaN(ts)) return into.unreadable(line, `"${written}" is no time`);
        if (measured === "") return into.unreadable(line, "it has no value");
        if (Number.isNaN(number)) return into.unreadable(line, noNumber(measured, options));
        const known = status < 0 ? ReadingStatus.good : statusOf(cells[status]?.trim() ?? "");
        if (known === undefined)
          return into.unreadable(line, `"${cells[status]}" is none of the statuses Good, Alarm and No data`);
        into.reading(seriesOf(...nameOf(cells)), ts, number, known, line);
      });
    },
  };
};

/** Reads a line a moment, with a column a channel; a device's, where a column names it. An empty cell is no reading. */
const wideRows = (layout: Layout, options: ReadingOptions) => {
  const { header, time, device } = layout;
  const [timeOf, numberOf] = [createTimes(options), createValues(options)];
  const columns = header.flatMap((name, index) => (index === time || index === device || name === "" ? [] : [index]));
  /** Series of the columns by device. */
  const known = new Map<string, number[]>();
  const seriesIn = (into: Pick<Into, "seriesOf">, of: string): number[] => {
    const found =
      known.get(of) ??
      columns.map((index) => {
        const name = columnName(header[index] ?? "", of);
        return into.seriesOf(`${name.device}${separator}${name.channel}`, () => name);
      });
    known.set(of, found);
    return found;
  };
  const deviceIn = (cells: readonly string[]): string =>
    device < 0 ? (options.device ?? "") : (cells[device]?.trim() ?? "");
  const look = (block: Block, into: Pick<Into, "seriesOf">) => {
    if (device < 0) return void seriesIn(into, options.device ?? "");
    const seen = new Set<string>();
    eachRow(block, layout, (cells) => seen.add(deviceIn(cells)));
    for (const each of seen) seriesIn(into, each);
  };
  const read = (block: Block, into: Into) =>
    eachRow(block, layout, (cells, line) => {
      const ts = timeOf(cells[time]?.trim() ?? "");
      if (Number.isNaN(ts)) return into.unreadable(line, `"${cells[time]}" is no time`);
      if (cells.length > header.length)
        return into.unreadable(line, `it has ${cells.length} columns, the header ${header.length}`);
      const series = seriesIn(into, deviceIn(cells));
      for (let at = 0; at < columns.length; at++) {
        const measured = cells[columns[at] ?? 0] ?? "";
        if (measured === "" || measured.trim() === "") continue;
        const value = numberOf(measured);
        if (Number.isNaN(value)) into.unreadable(line, noNumber(measured.trim(), options));
        else into.reading(series[at] ?? -1, ts, value, ReadingStatus.good, line);
      }
    });
  return { look, read };
};

/** A CSV file with a header, in long form (a line a reading) or wide (a column a channel). Throws `BadSource` for a header without a time. */
export const openCsv = async (file: string, options: ReadingOptions): Promise<Source> => {
  const layout = layoutOf(await firstBlock(file, true), file, options);
  if (layout.device < 0 && layout.channel >= 0 && options.device === undefined)
    throw new BadSource(`${file} has no column with the device: name it, as in --device "Pump house 2"`);
  const { look, read } = layout.channel >= 0 ? longRows(layout, options) : wideRows(layout, options);
  return {
    namesFirst: layout.channel < 0 && layout.device < 0,
    unit: "line",
    portions: async function* (from) {
      for await (const block of blocksOf(file, from, true))
        yield {
          read: (into) => read(block, into),
          look: (into) => look(block, into),
          end: block.end,
          done: block.done,
        };
    },
  };
};
