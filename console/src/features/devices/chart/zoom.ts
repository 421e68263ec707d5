import type { Zoom } from "./picture.ts";

/** Smallest part of the range, in percent, that the keys zoom in to. */
const least = 0.05;

const placed = (start: number, span: number): Zoom => {
  const width = Math.min(100, Math.max(least, span));
  const from = Math.min(Math.max(0, start), 100 - width);
  return { start: from, end: from + width };
};

/**
 * What is in view after a key: the arrows move by a tenth of the view, plus and minus halve and double it about its
 * middle, Home and End go to the ends of the range. Undefined for any other key.
 */
export const zoomByKey = ({ start, end }: Zoom, key: string): Zoom | undefined => {
  const span = end - start;
  const middle = start + span / 2;
  switch (key) {
    case "ArrowLeft":
      return placed(start - span / 10, span);
    case "ArrowRight":
      return placed(start + span / 10, span);
    case "+":
    case "=":
      return placed(middle - span / 4, span / 2);
    case "-":
      return placed(middle - span, span * 2);
    case "Home":
      return placed(0, span);
    case "End":
      return placed(100, span);
    default:
      return undefined;
  }
};
