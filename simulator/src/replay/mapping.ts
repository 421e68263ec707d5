/** Maps a column of a recording to a channel, with the conversion to the channel's unit. */
export interface Mapping {
  column: string;
  channel: string;
  scale: number;
  offset: number;
}

const syntax = /^(?<column>.+?)=(?<channel>[^*]+?)(?:\*(?<scale>[-+]?[\d.]+(?:e[-+]?\d+)?)(?<offset>[-+][\d.]+)?)?$/i;

/**
 * Parses `COLUMN=CHANNEL`, `COLUMN=CHANNEL*scale` or `COLUMN=CHANNEL*scale+offset`, such as `FREQ_OUTPUT=Frequency*0.01` or
 * `value=AI1*0.5556-17.78`. Throws with a message for anything else.
 */
export const parseMapping = (text: string): Mapping => {
  const { column, channel, scale = "1", offset = "0" } = syntax.exec(text.trim())?.groups ?? {};
  const mapping = {
    column: column ?? "",
    channel: channel?.trim() ?? "",
    scale: Number(scale),
    offset: Number(offset),
  };
  const isReadable = Number.isFinite(mapping.scale) && Number.isFinite(mapping.offset);
  if (!mapping.column || !mapping.channel || !isReadable) {
    throw new Error(`--map ${text}: write COLUMN=CHANNEL, COLUMN=CHANNEL*scale or COLUMN=CHANNEL*scale+offset`);
  }
  return mapping;
};

/** Content of a cell: a value, nothing, or something that is not a number. */
export type Cell = { value: number } | "empty" | "not a number";

/** Nine decimals: further digits of a scaled value are rounding noise. */
const tidy = (value: number): number => Number(value.toFixed(9));

const decimalComma = /^([-+]?\d*),(\d+(?:e[-+]?\d+)?)$/i;

/** Parses a cell; a decimal comma is accepted where columns are not separated by commas. */
export const readCell = (text: string | undefined, { scale, offset }: Mapping): Cell => {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return "empty";
  const value = tidy(Number(trimmed.replace(decimalComma, "$1.$2")) * scale + offset);
  return Number.isFinite(value) ? { value } : "not a number";
};

/** A row as a sample, `{"ts":…,"values":{…}}`; undefined when no mapped cell contains a number. */
export interface RowReading {
  moment: string | undefined;
  readings: number;
  empty: number;
  notNumbers: number;
}

/** Reads the mapped cells of a row; `at` holds each mapping's column index. */
export const readRow = (row: readonly string[], mappings: readonly Mapping[], at: readonly number[], ts: number) => {
  const result: RowReading = { moment: undefined, readings: 0, empty: 0, notNumbers: 0 };
  const values: string[] = [];
  for (const [i, mapping] of mappings.entries()) {
    const cell = readCell(row[at[i] ?? -1], mapping);
    if (cell === "empty") result.empty++;
    else if (cell === "not a number") result.notNumbers++;
    else values.push(`${JSON.stringify(mapping.channel)}:${cell.value}`);
  }
  result.readings = values.length;
  if (values.length > 0) result.moment = `{"ts":${ts},"values":{${values.join(",")}}}`;
  return result;
};
