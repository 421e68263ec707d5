import type { CSSProperties, ReactNode } from "react";
import type { ShownValue } from "../../format/value.ts";
import classes from "./figure.module.css";
import { useFlash } from "./use-flash.ts";

interface FigureProps {
  shown: ShownValue;
  /** The unit's size in ems of the value. */
  unitSize: number;
  className?: string | undefined;
  /** Before the figure: the lamp of a switch. */
  before?: ReactNode;
}

/** Width of a tabular figure of the typeface in ems, and of a letter of a unit with some air. */
const digit = 0.6;
const letter = 0.62;

const widthOf = ({ text, unit }: ShownValue, unitSize: number): number => {
  const points = text.split(".").length - 1;
  return (text.length - points) * digit + points * 0.3 + (unit === "" ? 0 : (unit.length * letter + 0.4) * unitSize);
};

/**
 * A value with its unit, which flashes when it changes. It is as large as its style says; a long one is first
 * narrowed and then as much smaller as the width of its container needs, so that no digit is ever cut off.
 */
export const Figure = ({ shown, unitSize, className, before }: FigureProps) => {
  const element = useFlash<HTMLDivElement>(`${shown.text} ${shown.unit}`);
  const ems = widthOf(shown, unitSize) + (before ? digit : 0);
  return (
    <div
      ref={element}
      className={`${classes.figure} ${className ?? ""}`}
      data-long={ems > 4.3 || undefined}
      data-longer={ems > 5.6 || undefined}
      style={{ "--ems": ems.toFixed(2) } as CSSProperties}
    >
      {before}
      <span className={classes.text}>{shown.text}</span>
      {shown.unit !== "" && <small className={classes.unit}>{shown.unit}</small>}
    </div>
  );
};
