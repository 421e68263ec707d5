import type { Tokens } from "marked";
import { drawLine, extentOf, leading, linesOf } from "./lines.ts";
import { type PlaceOf, type Run, runsOf, type Style } from "./runs.ts";
import { colour, type Sheet } from "./sheet.ts";

const size = 9;
const padding = { x: 6, y: 4 };

const plain: Style = { face: "regular", size, colour: colour.text };
const head: Style = { ...plain, face: "bold" };

/** Distributes the page's width: every column gets its longest word's width, and the rest in proportion to its text. */
const widthsOf = ({ pdf, width }: Sheet, rows: Run[][][]): number[] => {
  const columns = (rows[0] ?? []).map((_, column) => {
    const extents = rows.map((cells) => extentOf(pdf, cells[column] ?? []));
    const widest = (of: "natural" | "least") => Math.max(0, ...extents.map((extent) => extent[of])) + 2 * padding.x + 1;
    return { natural: widest("natural"), least: widest("least") };
  });
  const sum = (of: "natural" | "least") => columns.reduce((total, column) => total + column[of], 0);
  const [natural, least] = [sum("natural"), sum("least")];
  if (natural <= width) return columns.map((column) => (column.natural / natural) * width);
  if (least >= width) return columns.map((column) => (column.least / least) * width);
  const share = (width - least) / (natural - least);
  return columns.map((column) => column.least + share * (column.natural - column.least));
};

const drawRow = (sheet: Sheet, cells: Run[][], widths: number[], isHead: boolean): void => {
  const { pdf, left } = sheet;
  const lines = cells.map((runs, column) => linesOf(pdf, runs, (widths[column] ?? 0) - 2 * padding.x));
  const height = Math.max(1, ...lines.map(({ length }) => length)) * size * leading + 2 * padding.y;
  sheet.room(height);
  if (isHead) pdf.rect(left, sheet.y, sheet.width, height).fill(colour.well);
  let x = left + padding.x;
  for (const [column, ofCell] of lines.entries()) {
    for (const [index, line] of ofCell.entries())
      drawLine(pdf, line, x, sheet.y + padding.y + index * size * leading, size);
    x += widths[column] ?? 0;
  }
  sheet.y += height;
  pdf
    .moveTo(left, sheet.y)
    .lineTo(left + sheet.width, sheet.y)
    .lineWidth(0.6)
    .strokeColor(colour.rule)
    .stroke();
};

/** Draws a table; its head is repeated on each page. */
export const drawTable = (sheet: Sheet, { header, rows }: Tokens.Table, placeOf: PlaceOf): void => {
  const cellsOf = (cells: Tokens.TableCell[], style: Style) =>
    cells.map(({ tokens }) => runsOf(tokens, style, placeOf));
  const heads = cellsOf(header, head);
  const bodies = rows.map((cells) => cellsOf(cells, plain));
  const widths = widthsOf(sheet, [heads, ...bodies]);
  sheet.room(4 * size * leading);
  drawRow(sheet, heads, widths, true);
  for (const cells of bodies) {
    const page = sheet.pdf.bufferedPageRange().count;
    const lines = cells.map((runs, column) => linesOf(sheet.pdf, runs, (widths[column] ?? 0) - 2 * padding.x).length);
    sheet.room(Math.max(...lines) * size * leading + 2 * padding.y);
    if (sheet.pdf.bufferedPageRange().count > page) drawRow(sheet, heads, widths, true);
    drawRow(sheet, cells, widths, false);
  }
  sheet.gap(10);
};
