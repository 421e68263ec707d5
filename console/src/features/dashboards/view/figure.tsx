import type { ReactNode } from "react";
import type { ShownValue } from "../../../domain/value.ts";
import { useFlash } from "../../../ui/status/use-flash.ts";
import classes from "./figure.module.css";

/** Measured character widths of the typeface in ems, with a small margin. */
const digit = 0.59;
const wide = 0.89;
const letter = 0.63;
const widths: Readonly<Record<string, number>> = { ".": 0.29, "-": 0.4, " ": 0.26 };

const widthOfCharacter = (character: string): number => {
  if (character >= "0" && character <= "9") return digit;
  return widths[character] ?? (/[mMwW%@]/.test(character) ? wide : letter);
};

const widthOf = (text: string): number => [...text].reduce((sum, character) => sum + widthOfCharacter(character), 0);

/** Gap between value and unit, and between lamp and word. */
const gap = 0.17;

/** Width of a value and its unit in ems of the value. `unitSize` is the unit's size, likewise. */
export const figureWidth = ({ text, unit }: ShownValue, unitSize: number): number =>
  widthOf(text) + (unit === "" ? 0 : gap + widthOf(unit) * unitSize);

interface FigureProps {
  shown: ShownValue;
  /** The unit's size in ems of the value. */
  unitSize: number;
  className?: string | undefined;
  /** Content before the figure: the lamp of a switch. */
  before?: ReactNode;
}

/** Widths in ems from which a figure is condensed: in the narrow windows of small screens, and in all. */
const long = 4.2;
const longer = 5.5;

const lampWidth = 0.66;

/**
 * A value with its unit, which flashes when it changes. Its size comes from the style; a long one is first condensed and then scaled down to the
 * width of its container, so that no digit is ever cut off. Texts, such as a run time, are small and may take two lines.
 */
export const Figure = ({ shown, unitSize, className, before }: FigureProps) => {
  const element = useFlash<HTMLDivElement>(`${shown.text} ${shown.unit}`);
  const ems = figureWidth(shown, unitSize) + (before ? lampWidth : 0);
  return (
    <div
      ref={element}
      className={`${classes.figure} ${className ?? ""}`}
      data-long={ems > long || undefined}
      data-longer={ems > longer || undefined}
      data-words={shown.text.includes(" ") || undefined}
      style={{ "--ems": ems.toFixed(2), "--unit-size": `${unitSize}em` }}
    >
      {before}
      <span className={classes.text}>{shown.text}</span>
      {shown.unit !== "" && <small className={classes.unit}>{shown.unit}</small>}
    </div>
  );
};
