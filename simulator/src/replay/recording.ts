import { open } from "node:fs/promises";
import { parse } from "csv-parse";
import type { Mapping } from "./mapping.ts";

/** A CSV file with a header, read row by row. */
export interface Recording {
  /** Column separator. */
  separator: string;
  columns: string[];
  /** Rows without the header. */
  count: number;
  rows: () => AsyncIterable<string[]>;
}

async function* read(path: string, delimiter: string): AsyncIterable<string[]> {
  const file = await open(path);
  const rows = parse({ bom: true, delimiter, relaxColumnCount: true, skipEmptyLines: true, trim: delimiter !== "\t" });
  // Unlike pipe, compose forwards a file's errors, and closes the file when the reader stops early.
  yield* file.createReadStream().compose(rows);
}

/** Possible separators of a header, the likeliest first. */
const separators = [",", ";", "\t"] as const;

/** The separator of a header: the one that occurs most often outside of quotes. */
const separatorOf = (head: string): string => {
  const bare = head.replaceAll(/"[^"]*"/g, "");
  const count = (separator: string): number => bare.split(separator).length;
  return separators.reduce<string>((best, each) => (count(each) > count(best) ? each : best), separators[0]);
};

const firstLine = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    for await (const line of file.readLines()) if (line.replace("\ufeff", "").trim() !== "") return line;
    return "";
  } finally {
    await file.close();
  }
};

/** Opens a recording: reads it once for its columns and length. Throws with a message when it can't be read. */
export const openRecording = async (path: string, given?: string): Promise<Recording> => {
  const separator = given ?? separatorOf(await firstLine(path));
  let columns: string[] | undefined;
  let count = 0;
  for await (const row of read(path, separator)) {
    if (columns) count++;
    else columns = row;
  }
  if (!columns || count === 0) throw new Error(`${path} holds no rows`);
  return {
    separator,
    columns: columns.map((column) => column.trim()),
    count,
    rows: async function* () {
      let isHead = true;
      for await (const row of read(path, separator)) {
        if (!isHead) yield row;
        isHead = false;
      }
    },
  };
};

const separatorNames: Record<string, string> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

/** The index of a column; throws with the existing columns. */
export const placeOf = ({ columns, separator }: Recording, name: string): number => {
  const place = columns.indexOf(name);
  if (place < 0) {
    const between = separatorNames[separator] ?? separator;
    throw new Error(`The recording has no column ${name}. Separated by ${between} it has: ${columns.join(", ")}`);
  }
  return place;
};

export const placesOf = (recording: Recording, mappings: readonly Mapping[]): number[] =>
  mappings.map(({ column }) => placeOf(recording, column));
