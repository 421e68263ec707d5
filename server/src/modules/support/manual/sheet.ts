import Pdf from "pdfkit";
import { registerFaces } from "../../../platform/pdf-fonts.ts";

/** A4, in points; text keeps clear of the edges by `margin`. */
export const margin = 62;
const bottom = 72;

/** Of the light theme: paper is light. */
export const colour = {
  text: "#1b2124",
  soft: "#59636e",
  link: "#175874",
  rule: "#c9cfcd",
  well: "#eef1f0",
} as const;

/** A manual's pages while they are written: from top to bottom, a new page when there is no room. */
export interface Sheet {
  pdf: PDFKit.PDFDocument;
  /** Left edge and width of the text, and how far the page is written, from its top. */
  left: number;
  width: number;
  y: number;
  /** How much a page takes at most. */
  height: number;
  /** How much room there is left on this page. */
  rest(): number;
  /** Sees to it that so much can still be written on this page. */
  room(height: number): void;
  newPage(): void;
  /** Goes down, not below the page's end. */
  gap(height: number): void;
}

/** Pages are kept until the end, when their numbers and the contents are written. */
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

/** Does `write` within a narrower column of the same pages. */
export const indented = (sheet: Sheet, by: number, write: () => void): void => {
  sheet.left += by;
  sheet.width -= by;
  write();
  sheet.left -= by;
  sheet.width += by;
};
