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

/** Pixels per reading from which single readings can be distinguished. */
export const roomOfPoint = 14;

/** Widths of characters on the value axis, and of what is beside a label: words have more room than figures. */
const letter = 7.6;
const digit = 7.4;
const mark = 4.5;
const air = 16;
const gap = 8;
const spare = 3;
/** Least width of the values beside a plot. */
const least = 46;

/** Width of figures as they are written on an axis. */
const figureWidth = (text: string): number =>
  [...text].reduce((sum, character) => sum + (/[.+-]/.test(character) ? mark : digit), 0);

/** The texts of a value axis: words of a switch, or figures with the unit above them. */
export interface AxisTexts {
  words?: readonly string[];
  figures?: readonly string[];
  unit?: string;
}

/** Room that the texts of a value axis need beside the plot, at least `room`. */
export const roomOf = ({ words = [], figures = [], unit = "" }: AxisTexts, room = least): number => {
  const needed = Math.max(
    unit.length * letter + gap,
    ...words.map((word) => word.length * letter + air),
    ...figures.map((text) => figureWidth(text) + gap),
  );
  return needed > room ? Math.ceil(needed + spare) : room;
};

interface Parts {
  /** Without the zoom slider, and lower. */
  isLow?: boolean | undefined;
  /** There is more than one reading to zoom into. */
  hasSlider?: boolean;
}

/** The layout of a chart of this size, given the texts of its value axis. */
export const layoutOf = (
  width: number,
  height: number,
  texts: AxisTexts = {},
  { isLow = false, hasSlider = true }: Parts = {},
): Layout => {
  const isNarrow = width < narrow;
  const edges = isLow ? { top: 22, bottom: 28 } : { top: 30, bottom: hasSlider ? 76 : 32 };
  const left = roomOf(texts);
  return { width, height, left, right: isNarrow ? 20 : 96, ...edges, isNarrow, isLow, hasSlider: hasSlider && !isLow };
};

/** Width of the plot. */
export const plotWidth = ({ width, left, right }: Layout): number => Math.max(1, width - left - right);
