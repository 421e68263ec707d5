import { leading } from "./lines.ts";
import { colour, margin, type Sheet } from "./sheet.ts";

/** An entry of the table of contents. Pages count from 0. */
export interface Entry {
  title: string;
  /** 1 for a chapter, 2 for a section. */
  depth: 1 | 2;
  place: string;
  page: number;
}

const size = 10.5;
const lineHeight = size * leading;
const markSize = 34;

/** Draws the logo: annunciator windows, with the lit ones forming a T. */
const drawMark = ({ pdf, left, y }: Sheet): void => {
  const scale = markSize / 24;
  pdf.save().translate(left, y).scale(scale);
  pdf.roundedRect(0, 0, 24, 24, 3).fill("#1b2124");
  pdf.roundedRect(3, 3, 18, 6, 0.7).roundedRect(9, 10.4, 6, 10.6, 0.7).fill("#f1f4f3");
  pdf.roundedRect(3, 10.4, 4.6, 10.6, 0.7).roundedRect(16.4, 10.4, 4.6, 10.6, 0.7).fill("#3e494e");
  pdf.restore();
};

const write = (pdf: PDFKit.PDFDocument, text: string, x: number, baseline: number, options: object = {}) =>
  pdf.text(text, x, baseline, { lineBreak: false, baseline: "alphabetic", ...options });

/** Draws the head of the first page. */
export const drawTitle = (sheet: Sheet, title: string): void => {
  const { pdf, left } = sheet;
  drawMark(sheet);
  pdf.font("bold").fontSize(15).fillColor(colour.text);
  write(pdf, "Telltale", left + markSize + 12, sheet.y + 23);
  sheet.y += markSize + 40;
  pdf.fontSize(27);
  write(pdf, title, left, sheet.y);
  sheet.y += 40;
};

const drawEntry = (sheet: Sheet, { title, depth, place, page }: Entry): void => {
  const { pdf, left, width } = sheet;
  const x = left + (depth - 1) * 18;
  const baseline = sheet.y + lineHeight * 0.74;
  pdf
    .font(depth === 1 ? "bold" : "regular")
    .fontSize(size)
    .fillColor(colour.text);
  write(pdf, title, x, baseline);
  const number = String(page + 1);
  const numberLeft = left + width - pdf.widthOfString(number);
  const end = x + pdf.widthOfString(title);
  write(pdf, number, numberLeft, baseline);
  pdf
    .moveTo(end + 6, baseline)
    .lineTo(numberLeft - 6, baseline)
    .lineWidth(0.5)
    .dash(0.5, { space: 3 });
  pdf.strokeColor(colour.soft).stroke().undash();
  pdf.goTo(x, sheet.y, left + width - x, lineHeight, place);
  sheet.y += lineHeight;
};

/** Space above a chapter's entry. */
const chapterGap = 6;

const heightOf = ({ depth }: Pick<Entry, "depth">): number => lineHeight + (depth === 1 ? chapterGap : 0);

/** Reserves the pages of the table of contents for the number of headings. Returns where they start. */
export const reserveContents = (
  sheet: Sheet,
  headings: readonly Pick<Entry, "depth">[],
): { page: number; y: number } => {
  const place = { page: sheet.pdf.bufferedPageRange().count - 1, y: sheet.y };
  for (const heading of headings) {
    sheet.room(heightOf(heading));
    sheet.y += heightOf(heading);
  }
  return place;
};

/** Draws the table of contents into the reserved pages. */
export const drawContents = (
  sheet: Sheet,
  entries: readonly Entry[],
  { page, y }: { page: number; y: number },
): void => {
  let current = page;
  sheet.pdf.switchToPage(current);
  sheet.y = y;
  const turn = sheet.newPage;
  sheet.newPage = () => {
    current += 1;
    sheet.pdf.switchToPage(current);
    sheet.y = margin;
  };
  for (const entry of entries) {
    sheet.room(heightOf(entry));
    if (entry.depth === 1) sheet.y += chapterGap;
    drawEntry(sheet, entry);
  }
  sheet.newPage = turn;
};

/** Draws the footer of every page. */
export const drawFeet = ({ pdf, left, width }: Sheet, title: string): void => {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    const baseline = pdf.page.height - 38;
    pdf.font("regular").fontSize(8.5).fillColor(colour.soft);
    write(pdf, `Telltale · ${title}`, left, baseline);
    const number = `${page + 1} / ${count}`;
    write(pdf, number, left + width - pdf.widthOfString(number), baseline);
  }
};
