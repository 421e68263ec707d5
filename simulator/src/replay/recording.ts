import { open } from "node:fs/promises";
import { parse } from "csv-parse";
import type { Mapping } from "./mapping.ts";

/** A CSV file with a head line, read row by row. */
export interface Recording {
  columns: string[];
  /** Rows without the head. */
  count: number;
  rows: () => AsyncIterable<string[]>;
}

async function* read(path: string): AsyncIterable<string[]> {
  const file = await open(path);
  const rows = parse({ bom: true, relaxColumnCount: true, skipEmptyLines: true, trim: true });
  // Unlike pipe, compose hands on a file's errors, and closes it when the reader stops early.
  yield* file.createReadStream().compose(rows);
}

/** Opens a recording: reads it once to know its columns and its length. Throws with a sentence when it can't be read. */
export const openRecording = async (path: string): Promise<Recording> => {
  let columns: string[] | undefined;
  let count = 0;
  for await (const row of read(path)) {
    if (columns) count++;
    else columns = row;
  }
  if (!columns || count === 0) throw new Error(`${path} holds no rows`);
  return {
    columns,
    count,
    rows: async function* () {
      let isHead = true;
      for await (const row of read(path)) {
        if (!isHead) yield row;
        isHead = false;
      }
    },
  };
};

/** The place of a column; throws with the columns that there are. */
export const placeOf = ({ columns }: Recording, name: string): number => {
  const place = columns.indexOf(name);
  if (place < 0) throw new Error(`The recording has no column ${name}. It has: ${columns.join(", ")}`);
  return place;
};

export const placesOf = (recording: Recording, mappings: readonly Mapping[]): number[] =>
  mappings.map(({ column }) => placeOf(recording, column));
