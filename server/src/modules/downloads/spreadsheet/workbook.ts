import { Readable } from "node:stream";
import yazl from "yazl";
import { row } from "./cells.rules.ts";
import { closingParts, sheetFrame, sheetPath } from "./parts.ts";
import type { SharedTexts } from "./shared-texts.ts";

/** Rows per sheet, including the head. */
const sheetRows = 1_048_576;

/** Fast rather than small: the repetitive content compresses well at any level. */
const compressionLevel = 3;

interface Workbook {
  sheetName: string;
  /** Cells of the first row of each sheet. */
  head: string;
  /** Column widths in characters. */
  widths: readonly number[];
  texts: SharedTexts;
  /** The rows as XML, in batches. */
  rows: AsyncIterable<string[]>;
  /** Lower in tests. */
  rowsPerSheet?: number;
}

/** Deals at most a sheet's number of rows at a time, and knows whether more follow. */
const createDealer = (rows: AsyncIterable<string[]>) => {
  const source = rows[Symbol.asyncIterator]();
  let left: string[] = [];
  const fill = async (): Promise<boolean> => {
    while (left.length === 0) {
      const next = await source.next();
      if (next.done) return false;
      left = next.value;
    }
    return true;
  };
  return {
    hasMore: fill,
    take: (most: number): string[] => {
      const taken = left.slice(0, most);
      left = left.length > most ? left.slice(most) : [];
      return taken;
    },
    /** Ends the source at any point. */
    end: async () => void (await source.return?.()),
  };
};

async function* sheetXml(workbook: Workbook, dealer: ReturnType<typeof createDealer>): AsyncGenerator<Buffer> {
  const { before, after } = sheetFrame(workbook.widths);
  yield Buffer.from(before + row(workbook.head));
  for (let room = (workbook.rowsPerSheet ?? sheetRows) - 1; room > 0 && (await dealer.hasMore()); ) {
    const rows = dealer.take(room);
    room -= rows.length;
    yield Buffer.from(rows.join(""));
  }
  yield Buffer.from(after);
}

/**
 * Creates a workbook (Office Open XML) as a stream, generated while it is read: memory is constant, and rows beyond a sheet continue in another.
 * Destroying the stream ends `rows`; an error of `rows` destroys the stream.
 */
export const writeWorkbook = (workbook: Workbook): Readable => {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  const dealer = createDealer(workbook.rows);
  let sheet: Readable | undefined;
  const finish = (sheetCount: number): void => {
    for (const [path, xml] of closingParts(workbook.sheetName, sheetCount, workbook.texts.xml()))
      zip.addBuffer(Buffer.from(xml), path);
    zip.end();
  };
  const addSheet = (number: number): void => {
    sheet = Readable.from(sheetXml(workbook, dealer), { objectMode: false, highWaterMark: 64 * 1024 });
    sheet.once("error", (fault) => output.destroy(fault));
    sheet.once("end", () => {
      dealer.hasMore().then(
        (more) => (more ? addSheet(number + 1) : finish(number)),
        (fault: Error) => output.destroy(fault),
      );
    });
    zip.addReadStream(sheet, sheetPath(number), { compressionLevel });
  };
  zip.on("error", (fault: Error) => output.destroy(fault));
  output.once("close", () => {
    sheet?.destroy();
    dealer.end().catch(() => undefined); // the stream's reader has got the error already
  });
  addSheet(1);
  return output;
};
