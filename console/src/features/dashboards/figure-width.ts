import type { ShownValue } from "../../format/value.ts";

/** Widths of the typeface in ems, as measured, with a little air. */
const digit = 0.59;
const wide = 0.89;
const letter = 0.63;
const widths: Readonly<Record<string, number>> = { ".": 0.29, "-": 0.4, " ": 0.26 };

const widthOfCharacter = (character: string): number => {
  if (character >= "0" && character <= "9") return digit;
  return widths[character] ?? (/[mMwW%@]/.test(character) ? wide : letter);
};

const widthOf = (text: string): number => [...text].reduce((sum, character) => sum + widthOfCharacter(character), 0);

/** Between a value and its unit, and between a lamp and its word. */
const gap = 0.17;

/** Width of a value and its unit in ems of the value. `unitSize` is the unit's size, likewise. */
export const figureWidth = ({ text, unit }: ShownValue, unitSize: number): number =>
  widthOf(text) + (unit === "" ? 0 : gap + widthOf(unit) * unitSize);
