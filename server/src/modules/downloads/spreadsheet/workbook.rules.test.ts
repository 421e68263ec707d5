import { buffer } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { sheetOf, unzipped } from "../../../test/test-spreadsheet.ts";
import { emptyCell, momentCell, numberCell, row, textCell } from "./cells.rules.ts";
import { createSharedTexts } from "./shared-texts.ts";
import { writeWorkbook } from "./workbook.ts";

const aWorkbook = (rows: AsyncIterable<string[]>, rowsPerSheet?: number, texts = createSharedTexts()) =>
  writeWorkbook({
    sheetName: "Readings",
    head: textCell(texts.numberOf("HEAD")),
    widths: [10],
    texts,
    rows,
    ...(rowsPerSheet ? { rowsPerSheet } : {}),
  });

async function* numbers(count: number, at = 1000) {
  for (let from = 0; from < count; from += at)
    yield Array.from({ length: Math.min(at, count - from) }, (_, index) => row(numberCell(from + index)));
}

test("rows beyond a sheet go on in the next, each with the head", async () => {
  const parts = await unzipped(await buffer(aWorkbook(numbers(2500), 1001)));
  const sheets = [1, 2, 3].map((number) => sheetOf(parts, number));
  expect(sheets.map((sheet) => sheet.length)).toEqual([1001, 1001, 501]);
  expect(sheets.map((sheet) => sheet[0])).toEqual([["HEAD"], ["HEAD"], ["HEAD"]]);
  expect(sheets.flatMap((sheet) => sheet.slice(1).flat())).toEqual(Array.from({ length: 2500 }, (_, at) => at));
  expect(parts.get("xl/workbook.xml")).toContain('name="Readings 3"');
});

test("a sheet that is just full is the last one", async () => {
  const parts = await unzipped(await buffer(aWorkbook(numbers(1000), 1001)));
  expect([...parts.keys()].filter((path) => path.includes("worksheets"))).toHaveLength(1);
});

test("no row is a workbook with the head alone", async () => {
  expect(sheetOf(await unzipped(await buffer(aWorkbook(numbers(0)))))).toEqual([["HEAD"]]);
});

test("texts that begin like a formula are escaped, and what XML can't hold is replaced", async () => {
  const texts = createSharedTexts();
  const cells = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "a<b>&\u0000", "plain"].map((text) =>
    textCell(texts.numberOf(text)),
  );
  async function* one() {
    yield [row(cells.join("") + emptyCell + momentCell(0))];
  }
  const [, found] = sheetOf(await unzipped(await buffer(aWorkbook(one(), undefined, texts))));
  expect(found).toEqual(["'=1+1", "'+1", "'-1", "'@x", "'\tx", "'\rx", "a<b>&\ufffd", "plain", null, 25_569]);
});

test("a fault of the rows is a fault of the stream", async () => {
  async function* broken() {
    yield* numbers(5000);
    throw new Error("the database is away");
  }
  await expect(buffer(aWorkbook(broken()))).rejects.toThrow("the database is away");
});

test("a stream that is destroyed ends the rows", async () => {
  let isEnded = false;
  let given = 0;
  async function* endless() {
    try {
      for (;;) {
        given += 1;
        await turn();
        yield* numbers(1000);
      }
    } finally {
      isEnded = true;
    }
  }
  const stream = aWorkbook(endless());
  for await (const _ of stream) if (given > 20) break;
  for (let wait = 0; !isEnded && wait < 100; wait++) await turn();
  expect(stream.destroyed).toBe(true);
  expect(isEnded).toBe(true);
});
