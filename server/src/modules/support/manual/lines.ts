import type { Run, Style } from "./runs.ts";
import type { Sheet } from "./sheet.ts";

interface Fragment {
  text: string;
  style: Style;
  width: number;
}

/** Text without a line break inside. `space` precedes it, unless it begins a line. */
interface Word {
  fragments: Fragment[];
  width: number;
  space: number;
  isBreak: boolean;
}

type Line = Fragment[];

type Pdf = PDFKit.PDFDocument;

const widthOf = (pdf: Pdf, text: string, { face, size }: Style): number =>
  pdf.font(face).fontSize(size).widthOfString(text);

/** Splits text wider than a line, such as a URL or code. */
const cut = (pdf: Pdf, text: string, style: Style, width: number): string[] => {
  if (widthOf(pdf, text, style) <= width) return [text];
  let length = text.length;
  while (length > 1 && widthOf(pdf, text.slice(0, length), style) > width) length -= 1;
  return [text.slice(0, length), ...cut(pdf, text.slice(length), style, width)];
};

const wordsOf = (pdf: Pdf, runs: Run[], longest: number): Word[] => {
  const words: Word[] = [];
  let space: number | undefined = 0;
  const add = (text: string, style: Style, isNew: boolean) => {
    const fragment = { text, style, width: widthOf(pdf, text, style) };
    const word = words.at(-1);
    if (word && !isNew && word.width + fragment.width <= longest) {
      word.fragments.push(fragment);
      word.width += fragment.width;
    } else words.push({ fragments: [fragment], width: fragment.width, space: space ?? 0, isBreak: false });
    space = undefined;
  };
  for (const { text, style } of runs)
    for (const part of text.split(/(\s+)/).filter(Boolean)) {
      if (part === "\n" && text === "\n") words.push({ fragments: [], width: 0, space: 0, isBreak: true });
      if (/^\s+$/.test(part)) space = widthOf(pdf, " ", style);
      else
        for (const [index, piece] of cut(pdf, part, style, longest).entries())
          add(piece, style, index > 0 || space !== undefined);
    }
  return words;
};

/** Appends a word to a line; fragments of equal style are merged. */
const append = (line: Line, { fragments, space }: Word): void => {
  for (const [index, fragment] of fragments.entries()) {
    const before = line.at(-1);
    const gap = index === 0 && before ? space : 0;
    if (before && before.style === fragment.style) {
      before.text += (gap > 0 ? " " : "") + fragment.text;
      before.width += gap + fragment.width;
      continue;
    }
    // The space belongs to the preceding text, so that it does not get the style of what follows.
    if (before && gap > 0) {
      before.text += " ";
      before.width += gap;
    }
    line.push({ ...fragment });
  }
};

/** Breaks text into lines of at most this width. */
export const linesOf = (pdf: Pdf, runs: Run[], width: number): Line[] => {
  const lines: Line[] = [];
  let line: Line = [];
  let used = 0;
  const end = () => {
    lines.push(line);
    line = [];
    used = 0;
  };
  for (const word of wordsOf(pdf, runs, width)) {
    if (word.isBreak || (line.length > 0 && used + word.space + word.width > width)) end();
    if (word.isBreak) continue;
    used += (line.length > 0 ? word.space : 0) + word.width;
    append(line, word);
  }
  if (line.length > 0) end();
  return lines;
};

/** Line height as a multiple of the font size. */
export const leading = 1.45;

/** Width of the text on one line, and of its longest word. */
export const extentOf = (pdf: Pdf, runs: Run[]): { natural: number; least: number } => {
  const words = wordsOf(pdf, runs, 180);
  return {
    natural: words.reduce((sum, { width, space }) => sum + width + space, 0),
    least: Math.max(0, ...words.map(({ width }) => width)),
  };
};

/** Draws a line with its left end at x and its top at y. */
export const drawLine = (pdf: Pdf, line: Line, x: number, y: number, size: number): void => {
  let left = x;
  const height = size * leading;
  for (const { text, style, width } of line) {
    pdf.font(style.face).fontSize(style.size).fillColor(style.colour);
    pdf.text(text, left, y + height * 0.74, { lineBreak: false, baseline: "alphabetic" });
    if (style.link?.startsWith("#")) pdf.goTo(left, y, width, height, style.link.slice(1));
    else if (style.link) pdf.link(left, y, width, height, style.link);
    left += width;
  }
};

/** Draws text at the sheet's current position, across pages if necessary. */
export const drawText = (sheet: Sheet, runs: Run[], size: number): void => {
  for (const line of linesOf(sheet.pdf, runs, sheet.width)) {
    sheet.room(size * leading);
    drawLine(sheet.pdf, line, sheet.left, sheet.y, size);
    sheet.y += size * leading;
  }
};
