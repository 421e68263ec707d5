/** Positions of the chart's parts, in pixels. */
export interface Layout {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Without the zoom slider. */
  isLow: boolean;
  /** Too narrow for names beside the plot: they are placed inside it. */
  isNarrow: boolean;
  /** There is more than one reading to zoom into. */
  hasSlider: boolean;
}

/** Height of the zoom slider and its distance from the lower edge. */
export const slider = { height: 34, bottom: 6 };

const narrow = 620;

/** Width of a character on the value axis, and of the padding around a label. */
const letter = 7.6;
const air = 16;

interface Parts {
  /** Without the zoom slider, and lower. */
  isLow?: boolean | undefined;
  /** There is more than one reading to zoom into. */
  hasSlider?: boolean;
}

/** The layout of a chart of this size, given the labels of its value axis if they are texts. */
export const layoutOf = (
  width: number,
  height: number,
  words: string[] = [],
  { isLow = false, hasSlider = true }: Parts = {},
): Layout => {
  const isNarrow = width < narrow;
  const left = Math.max(46, ...words.map((word) => word.length * letter + air));
  const edges = isLow ? { top: 22, bottom: 28 } : { top: 30, bottom: hasSlider ? 76 : 32 };
  return { width, height, left, right: isNarrow ? 14 : 96, ...edges, isNarrow, isLow, hasSlider: hasSlider && !isLow };
};

/** Width of the plot. */
export const plotWidth = ({ width, left, right }: Layout): number => Math.max(1, width - left - right);
