import { type LabelSheet, labelGrids } from "@telltale/contract/domains/fleet/labels";

/** Points of a millimetre. */
const point = 72 / 25.4;

/** A label on its sheet, in points from the sheet's upper left corner. */
export interface Place {
  /** Sheets count from 0. */
  sheet: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Number of labels of a sheet. */
export const labelsOf = (sheet: LabelSheet): number => labelGrids[sheet].columns * labelGrids[sheet].rows;

/** The place of a label, by rows; `index` counts from 0 over all sheets. */
export const placeOf = (sheet: LabelSheet, index: number): Place => {
  const { columns, width, height, top, left, gap } = labelGrids[sheet];
  const at = index % labelsOf(sheet);
  return {
    sheet: Math.floor(index / labelsOf(sheet)),
    x: (left + (at % columns) * (width + gap)) * point,
    y: (top + Math.floor(at / columns) * height) * point,
    width: width * point,
    height: height * point,
  };
};

const clipped = (line: string, most: number): string =>
  [...line].length <= most
    ? line
    : `${[...line]
        .slice(0, Math.max(1, most - 1))
        .join("")
        .trimEnd()}…`;

/** Words longer than a line, cut into pieces that fit. */
const pieces = (text: string, most: number): string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== "")
    .flatMap((word) => {
      const letters = [...word];
      const count = Math.ceil(letters.length / most);
      return Array.from({ length: count }, (_, at) => letters.slice(at * most, (at + 1) * most).join(""));
    });

/** A text as at most `lines` lines of at most `most` characters each; the last ends in … when there is more. */
export const linesOf = (text: string, most: number, lines: number): string[] => {
  const all: string[] = [];
  for (const word of pieces(text, most)) {
    const last = all.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= most) all[all.length - 1] = `${last} ${word}`;
    else all.push(word);
  }
  if (all.length <= lines) return all;
  const rest = all.slice(lines - 1).join(" ");
  return [...all.slice(0, lines - 1), clipped(rest, most)];
};
