import type { CSSProperties, ReactNode } from "react";
import type { ShownValue } from "../../format/value.ts";
import { useFlash } from "../../ui/use-flash.ts";
import classes from "./figure.module.css";
import { figureWidth } from "./figure-width.ts";

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
