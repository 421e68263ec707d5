import { open } from "node:fs/promises";
import { parse } from "csv-parse";
import type { Mapping } from "./mapping.ts";

/** A CSV file with a head line, read row by row. */
export interface Recording {
  /** What stands between two columns. */
  separator: string;
  columns: string[];
  /** Rows without the head. */
  count: number;
  rows: () => AsyncIterable<string[]>;
}

async function* read(path: string, delimiter: string): AsyncIterable<string[]> {
  const file = await open(path);
  const rows = parse({ bom: true, delimiter, relaxColumnCount: true, skipEmptyLines: true, trim: delimiter !== "\t" });
  // Unlike pipe, compose hands on a file's errors, and closes it when the reader stops early.
  yield* file.createReadStream().compose(rows);
}

/** The separators that a head line may have, the likeliest first. */
const separators = [",", ";", "\t"] as const;

/** What separates the columns of a head line: whichever it has most of, outside of quotes. */
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

/** Opens a recording: reads it once to know its columns and its length. Throws with a sentence when it can't be read. */
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

/** The place of a column; throws with the columns that there are. */
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
