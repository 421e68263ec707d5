import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import { fileWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";

/** Formats of a file of readings. */
export const readingsFormats = ["csv", "parquet"] as const;
export type ReadingsFormat = (typeof readingsFormats)[number];

/** Rows of a row group: what is in memory at a time. */
const groupSize = 100_000;

/** Without it readers take the times for those of a place that is not told. */
const inUtc = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" } as const;

/** Times as milliseconds since 1970 in UTC, which readers show as times. */
const schema: SchemaElement[] = [
  { name: "root", num_children: 5 },
  { name: "time", type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type: inUtc, repetition_type: "REQUIRED" },
  { name: "channel", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
  { name: "value", type: "DOUBLE", repetition_type: "OPTIONAL" },
  { name: "unit", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
  { name: "status", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
];

interface Columns {
  time: Date[];
  channel: string[];
  value: (number | null)[];
  unit: string[];
  status: string[];
}

const noRows = (): Columns => ({ time: [], channel: [], value: [], unit: [], status: [] });

/** Writes CSV as the server sends it as Parquet; returns the number of rows. */
const writeParquet = async (csv: Readable, file: string): Promise<number> => {
  const writer = fileWriter(file);
  const parquet = new ParquetWriter({ writer, schema, createdBy: "telltale" });
  let columns = noRows();
  let rows = 0;
  const flush = async () => {
    const columnData = Object.entries(columns).map(([name, data]) => ({ name, data }));
    await parquet.write({ columnData, rowGroupSize: groupSize });
    rows += columns.time.length;
    columns = noRows();
  };
  await pipeline(csv, parse({ from_line: 2 }), async (lines: AsyncIterable<string[]>) => {
    for await (const [time = "", channel = "", value = "", unit = "", status = ""] of lines) {
      columns.time.push(new Date(time));
      columns.channel.push(channel);
      columns.value.push(value === "" ? null : Number(value));
      columns.unit.push(unit);
      columns.status.push(status);
      if (columns.time.length >= groupSize) await flush();
    }
  });
  if (columns.time.length > 0) await flush();
  await parquet.finish();
  return rows;
};

const writeCsv = async (csv: Readable, file: string): Promise<number> => {
  let lines = 0;
  await pipeline(
    csv,
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        for (const byte of part) if (byte === 10) lines += 1;
        yield part;
      }
    },
    createWriteStream(file),
  );
  return Math.max(0, lines - 1);
};

/** Writes the readings that the server sends as CSV into a file; returns their number. Rejects when the connection ends before all have come. */
export const writeReadings = (csv: Readable, file: string, format: ReadingsFormat): Promise<number> =>
  format === "csv" ? writeCsv(csv, file) : writeParquet(csv, file);
