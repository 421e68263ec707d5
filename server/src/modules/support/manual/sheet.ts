import Pdf from "pdfkit";
import { registerFaces } from "../../../platform/pdf-fonts.ts";

/** A4, in points; `margin` on all sides. */
export const margin = 62;
const bottom = 72;

/** Colours of the light theme. */
export const colour = {
  text: "#1b2124",
  soft: "#59636e",
  link: "#175874",
  rule: "#c9cfcd",
  well: "#eef1f0",
} as const;

/** A manual's pages while they are drawn, from top to bottom. */
export interface Sheet {
  pdf: PDFKit.PDFDocument;
  /** Left edge and width of the text, and the current vertical position. */
  left: number;
  width: number;
  y: number;
  /** Usable height of a page. */
  height: number;
  /** Remaining height of the current page. */
  rest(): number;
  /** Starts a new page if the height does not fit. */
  room(height: number): void;
  newPage(): void;
  /** Moves down, at most to the page's end. */
  gap(height: number): void;
}

/** Opens a document. Pages are buffered until the end, when page numbers and contents are drawn. */
export const openSheet = (title: string): Sheet => {
  const info = { Title: title, Author: "Telltale" };
  const pdf = new Pdf({
    size: "A4",
    margin: 0,
    bufferPages: true,
    autoFirstPage: false,
    lang: "en",
    displayTitle: true,
    info,
  });
  registerFaces(pdf, ["regular", "bold", "italic", "mono"]);
  pdf.addPage();
  const end = pdf.page.height - bottom;
  const sheet: Sheet = {
    pdf,
    left: margin,
    width: pdf.page.width - 2 * margin,
    y: margin,
    height: end - margin,
    rest: () => end - sheet.y,
    room: (height) => {
      if (sheet.y + height > end) sheet.newPage();
    },
    newPage: () => {
      pdf.addPage();
      sheet.y = margin;
    },
    gap: (height) => {
      sheet.y = Math.min(sheet.y + height, end);
    },
  };
  return sheet;
};

/** Runs `write` with a narrower column. */
export const indented = (sheet: Sheet, by: number, write: () => void): void => {
  sheet.left += by;
  sheet.width -= by;
  write();
  sheet.left -= by;
  sheet.width += by;
};
