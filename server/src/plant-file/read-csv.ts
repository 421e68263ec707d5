import { Key } from "@telltale/contract/channel-types/keys";
import { CsvError, parse } from "csv-parse/sync";
import { checked, type WrittenPlant } from "./read-file.ts";
import { BadFile, writtenPath } from "./read-yaml.ts";

/** What a cell says of a channel: its name, whether it is on, or a setting. */
type ChannelColumn = { code: string } & ({ field: "name" | "on" } | { field: "setting"; key: Key });

type Column = { heading: string } & (
  | { what: "name" | "id" | "serial" | "model" | "group" | "master" | "offlineAfter" | "reportEvery" }
  | ({ what: "channel" } & ChannelColumn)
);

/** Columns of the device itself. */
const deviceColumns = {
  name: "name",
  id: "id",
  serial: "serial",
  model: "model",
  group: "group",
  master: "master",
  "offline-after": "offlineAfter",
  "report-every": "reportEvery",
} as const;

const isDeviceColumn = (heading: string): heading is keyof typeof deviceColumns =>
  Object.hasOwn(deviceColumns, heading);

/** The longest first: `Alarm Delay` is also the end of `Higher Alarm Delay`. */
const keys = Object.values(Key).toSorted((one, other) => other.length - one.length);
/** Settings that are texts; all others are numbers. */
const texts: readonly Key[] = [Key.unit, Key.ntcType, Key.source];

const channelColumn = (heading: string): ChannelColumn | undefined => {
  const lower = heading.toLowerCase();
  const codeBefore = (end: string): string | undefined =>
    lower.endsWith(` ${end.toLowerCase()}`) ? heading.slice(0, -end.length).trim() : undefined;
  for (const key of keys) {
    const code = codeBefore(key);
    if (code) return { code, field: "setting", key };
  }
  for (const field of ["name", "on"] as const) {
    const code = codeBefore(field);
    if (code) return { code, field };
  }
  return undefined;
};

const columnOf = (heading: string): Column | undefined => {
  const lower = heading.toLowerCase();
  if (isDeviceColumn(lower)) return { heading, what: deviceColumns[lower] };
  const channel = channelColumn(heading);
  return channel && { heading, what: "channel", ...channel };
};

const known = `${Object.keys(deviceColumns).join(", ")}, CODE name, CODE on, or CODE and a setting such as AI1 Higher Alarm`;

/** Reads the headings; tells those that are no column, and those that stand twice. */
const columnsOf = (headings: readonly string[], place: string): Column[] => {
  const faults: string[] = [];
  const seen = new Set<string>();
  const columns = headings.flatMap((heading) => {
    const column = columnOf(heading);
    if (!column) faults.push(`${place}: there is no column ${heading || "without a name"}: ${known}`);
    else if (seen.has(heading.toLowerCase())) faults.push(`${place}: the column ${heading} stands twice`);
    seen.add(heading.toLowerCase());
    return column ?? [];
  });
  const has = (wanted: Column["what"]): boolean => columns.some(({ what }) => what === wanted);
  if (!has("name")) faults.push(`${place}: the column name is missing`);
  if (!has("id") && !has("serial")) faults.push(`${place}: the column id is missing, or serial and model`);
  if (faults.length > 0) throw new BadFile(faults);
  return columns;
};

/** The word for a setting without a value; an empty cell leaves the setting as it is. */
const noValue = "none";
const switches: Readonly<Record<string, boolean>> = {
  on: true,
  "1": true,
  yes: true,
  off: false,
  "0": false,
  no: false,
};

interface Row {
  name: string;
  [field: string]: unknown;
}

/** What the cells of a line say, as the entry of a plant file. */
const rowReader = (columns: readonly Column[], hasDecimalCommas: boolean) => {
  const numberOf = (text: string, column: Column): number => {
    const number = Number(hasDecimalCommas ? text.replace(",", ".") : text);
    if (!Number.isFinite(number)) throw new Error(`${column.heading}: ${text} is no number`);
    return number;
  };
  const groupOf = (text: string, column: Column) => {
    const [, name = "", codes = ""] = /^([^:]+):(.+)$/.exec(text) ?? [];
    if (!name) throw new Error(`${column.heading}: write it as NAME: CODE | CODE`);
    return { [name.trim()]: { channels: codes.split("|").map((code) => code.trim()) } };
  };
  const settingOf = (text: string, column: Column, key: Key) => {
    if (text.toLowerCase() === noValue) return null;
    return texts.includes(key) ? text : numberOf(text, column);
  };
  const channelOf = (text: string, column: Column & { what: "channel" }) => {
    if (column.field === "setting") return { settings: { [column.key]: settingOf(text, column, column.key) } };
    if (column.field === "name") return { name: text };
    const on = switches[text.toLowerCase()];
    if (on === undefined) throw new Error(`${column.heading}: it is on or off`);
    return { on };
  };
  return (cells: readonly string[], note: (fault: string) => void): Row => {
    const row: Row = { name: "" };
    const channels: Record<string, { name?: string; on?: boolean; settings?: Record<string, unknown> }> = {};
    const put = (column: Column, text: string): void => {
      if (column.what === "channel") {
        const { settings, ...fields } = channels[column.code] ?? {};
        const said = channelOf(text, column);
        const both = { ...settings, ...("settings" in said ? said.settings : {}) };
        channels[column.code] = { ...fields, ...said, ...(Object.keys(both).length > 0 && { settings: both }) };
      } else if (column.what === "group") row.groups = groupOf(text, column);
      else if (column.what === "offlineAfter" || column.what === "reportEvery")
        row[column.what] = numberOf(text, column);
      else row[column.what] = text;
    };
    columns.forEach((column, at) => {
      const text = (cells[at] ?? "").trim();
      if (text === "") return;
      try {
        put(column, text);
      } catch (fault) {
        note(fault instanceof Error ? fault.message : String(fault));
      }
    });
    return Object.keys(channels).length > 0 ? { ...row, channels } : row;
  };
};

interface Line {
  line: number;
  cells: string[];
}

/** The lines of a CSV, each with its number; the first is that of the headings. */
const linesOf = (name: string, text: string, delimiter: string): Line[] => {
  const lines: Line[] = [];
  const onRecord = (cells: string[], { lines: last }: { lines: number }) => {
    // The parser tells the last line, and cells may have line breaks.
    lines.push({ line: last - (cells.join("").match(/\r\n|\r|\n/g)?.length ?? 0), cells });
    return null;
  };
  try {
    parse(text, { bom: true, delimiter, onRecord, skipEmptyLines: true, relaxColumnCountLess: true, trim: true });
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    throw new BadFile([`${name}:${String(fault.lines ?? 1)}: ${fault.message}`]);
  }
  return lines;
};

/**
 * Reads a CSV of devices, a line each, as a plant file: columns `name`, `id` (or `serial` and `model`), `group`, `master`, `offline-after`, `report-every`, and of channels
 * `AI1 name`, `AI1 on` and `AI1 Higher Alarm`, after the names of the settings. With semicolons numbers may have decimal commas, as spreadsheets in
 * many languages write them. An empty cell leaves its value as it is. Throws `BadFile` that names line and column.
 */
export const readDevicesCsv = (name: string, text: string): WrittenPlant => {
  const heading = text.split(/\r?\n/, 1)[0] ?? "";
  const hasSemicolons = heading.split(";").length > heading.split(",").length;
  const [first, ...others] = linesOf(name, text, hasSemicolons ? ";" : ",");
  if (!first) throw new BadFile([`${name}:1: it is empty`]);
  const read = rowReader(columnsOf(first.cells, `${name}:${first.line}`), hasSemicolons);
  const lines = new Map<PropertyKey | undefined, number>();
  const faults: string[] = [];
  const devices: Record<string, unknown> = {};
  for (const { line, cells } of others) {
    const note = (fault: string) => void faults.push(`${name}:${line}: ${fault}`);
    const { name: device, ...entry } = read(cells, note);
    const before = lines.get(device);
    if (device === "") note("name is missing");
    else if (before !== undefined) note(`the device ${device} stands in line ${before} already`);
    else {
      lines.set(device, line);
      devices[device] = entry;
    }
  }
  const written = () =>
    checked({ devices }, (path) => `${name}:${lines.get(path[1]) ?? first.line}: ${writtenPath(path)}`);
  if (faults.length === 0) return written();
  try {
    written();
  } catch (fault) {
    if (fault instanceof BadFile) faults.push(...fault.faults);
  }
  throw new BadFile(faults);
};
