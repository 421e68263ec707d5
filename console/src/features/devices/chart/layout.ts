/** Where things stand in the chart, in pixels. */
export interface Layout {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Too narrow for names beside the plot: they go into it. */
  isNarrow: boolean;
}

/** Height of the zoom slider and its distance from the lower edge. */
export const slider = { height: 34, bottom: 6 };

const narrow = 620;

/** The layout of a chart of this size. */
export const layoutOf = (width: number, height: number): Layout => {
  const isNarrow = width < narrow;
  return { width, height, left: 46, right: isNarrow ? 14 : 96, top: 30, bottom: 76, isNarrow };
};

/** Width of the plot. */
export const plotWidth = ({ width, left, right }: Layout): number => Math.max(1, width - left - right);
