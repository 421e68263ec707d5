import { spread } from "../chart/drawing/free-place.ts";
import { type PlacedLimit, placedLimits } from "../chart/truth/placed-limits.ts";
import { type Line, type Plot, placeOf, shortened } from "./plots.ts";

/** Height of a limit's name and width of one of its characters, pixels. */
export const nameRoom = 15;
const letter = 6.2;
/** Between a name and the edge of what is behind it. */
export const nameAir = 4;

/** A limit in a plot of several lines, with its name. */
export interface DrawnLimit extends PlacedLimit {
  line: Line;
  /** Ends of its line, pixels. */
  left: number;
  right: number;
  text: string;
  /** Left edge and width of the name with its ground, pixels. */
  nameLeft: number;
  width: number;
  /** Lower edge of its name, pixels from the top; undefined where that would cover another. */
  named: number | undefined;
}

interface Unnamed extends Omit<DrawnLimit, "named"> {
  /** It is in force up to the window's end, or its line is as long as its name. */
  hasRoom: boolean;
}

/** Fewest characters of a channel's name that still tell it from others. */
const leastOfName = 5;

/** '↑ AI1, Higher Alarm 80 bar', with as much of the channel's name as a plot of this width has room for: beyond it stand the values of the right axis. */
const textOf = ({ model }: Line, { arrow, name, value }: PlacedLimit, width: number): string => {
  const limit = `, ${name} ${model.show(value)}`;
  const most = Math.floor((width - 2 * nameAir) / letter) - arrow.length - limit.length;
  return `${arrow}${shortened(model.name, Math.max(leastOfName, most))}${limit}`;
};

const inPlot = (plot: Plot): Unnamed[] =>
  plot.axes.flatMap((axis) =>
    axis.lines.flatMap((line) => {
      const { model } = line;
      const { x } = placeOf(line, axis, plot);
      return placedLimits(model.thresholds, model.range, axis.scale, plot.field).map((limit) => {
        const text = textOf(line, limit, plot.field.right - plot.field.left);
        const width = text.length * letter + 2 * nameAir;
        const left = x(limit.start);
        // The name of one that is in force since lately begins before it, rather than ending beyond the plot.
        const nameLeft = Math.max(plot.field.left, Math.min(left, plot.field.right - width)) + nameAir;
        const right = x(limit.end);
        const hasRoom = limit.end === model.range.end || width <= right - left;
        return { ...limit, line, left, right, text, nameLeft, width, hasRoom };
      });
    }),
  );

/** The limits of a plot. Those that are off it are named within its edges; another as far as its name covers none of these. */
export const limitsOf = (plot: Plot): DrawnLimit[] => {
  const { top, bottom } = plot.field;
  const all = inPlot(plot);
  const away = all.filter(({ isAway, hasRoom }) => isAway && hasRoom);
  const heights = spread(
    away.map(({ height }) => height),
    [top + nameRoom + 2, bottom],
    nameRoom,
  );
  const edges = new Map(away.map((limit, index) => [limit, heights[index]]));
  const taken = [...heights];
  const namedAt = (limit: Unnamed): number | undefined => {
    if (limit.isAway || !limit.hasRoom) return edges.get(limit);
    if (taken.some((height) => Math.abs(height - limit.height) < nameRoom)) return undefined;
    taken.push(limit.height);
    return limit.height;
  };
  return all.map((limit) => ({ ...limit, named: namedAt(limit) }));
};
