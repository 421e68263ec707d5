import type { CSSProperties, ReactNode } from "react";
import type { ShownValue } from "../../../domain/value.ts";
import { useFlash } from "../../../ui/status/use-flash.ts";
import classes from "./figure.module.css";

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

interface FigureProps {
  shown: ShownValue;
  /** The unit's size in ems of the value. */
  unitSize: number;
  className?: string | undefined;
  /** Before the figure: the lamp of a switch. */
  before?: ReactNode;
}

/** Widths from which a figure is narrowed in the narrow windows of small screens, and in all, in ems. */
const long = 4.2;
const longer = 5.5;

const lampWidth = 0.66;

/**
 * A value with its unit, which flashes when it changes. It is as large as its style says; a long one is first
 * narrowed and then as much smaller as the width of its container needs, so that no digit is ever cut off.
 * Words, such as a run time, are small and may take two lines.
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
      style={{ "--ems": ems.toFixed(2), "--unit-size": `${unitSize}em` } as CSSProperties}
    >
      {before}
      <span className={classes.text}>{shown.text}</span>
      {shown.unit !== "" && <small className={classes.unit}>{shown.unit}</small>}
    </div>
  );
};
