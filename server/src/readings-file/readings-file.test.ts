import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeReadings } from "./readings-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-readings-"));
});
afterAll(() => rm(folder, { recursive: true }));

const from = Date.UTC(2026, 10, 1);
const rows = 250_000;

/** CSV as the server sends it, cut anywhere. */
const csv = () => {
  const lines = Array.from({ length: rows }, (_, n) => {
    const [value, unit] = n % 1000 === 7 ? ["", '"a,""b"'] : [String(n / 4), "bar"];
    return `${new Date(from + n * 1000).toISOString()},AI${1 + (n % 2)},${value},${unit},Good\n`;
  });
  const text = Buffer.from(`time,channel,value,unit,status\n${lines.join("")}`);
  const parts = Array.from({ length: Math.ceil(text.length / 65_521) }, (_, n) =>
    text.subarray(n * 65_521, (n + 1) * 65_521),
  );
  return { text, stream: Readable.from(parts, { objectMode: false }) };
};

test("readings are saved as Parquet that a reader of the format opens: every row, its time, and none where there is no value", async () => {
  const file = join(folder, "readings.parquet");
  expect(await writeReadings(csv().stream, file, "parquet")).toBe(rows);
  const read = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
  expect(read).toHaveLength(rows);
  expect(read[5]).toEqual({ time: new Date(from + 5000), channel: "AI2", value: 1.25, unit: "bar", status: "Good" });
  expect(read[7]).toMatchObject({ value: null, unit: 'a,"b' });
  const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(file));
  expect(schema[1]?.logical_type).toMatchObject({ type: "TIMESTAMP", isAdjustedToUTC: true });
  expect(read.at(-1)).toMatchObject({ time: new Date(from + (rows - 1) * 1000), value: (rows - 1) / 4 });
});

test("readings are saved as CSV byte for byte", async () => {
  const file = join(folder, "readings.csv");
  const { text, stream } = csv();
  expect(await writeReadings(stream, file, "csv")).toBe(rows);
  expect(text.equals(await readFile(file))).toBe(true);
});

test("a connection that ends while readings come rejects, whatever the format", async () => {
  for (const format of ["csv", "parquet"] as const) {
    const cut = async function* () {
      yield Buffer.from("time,channel,value,unit,status\n2026-11-01T00:00:00.000Z,AI1,1,bar,Good\n2026-11-01T00:0");
      throw new TypeError("terminated");
    };
    const stream = Readable.from(cut(), { objectMode: false });
    await expect(writeReadings(stream, join(folder, `cut.${format}`), format)).rejects.toThrow("terminated");
  }
});
