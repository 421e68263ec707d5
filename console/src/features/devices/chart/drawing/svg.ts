import type { Sample, Window } from "../../../../domain/samples.ts";
import type { Field } from "./free-place.ts";
import type { ValueScale } from "./value-scale.ts";

/** Values of an axis: at each step, at most as many as have room. */
export const gridOf = ({ min, max, step }: ValueScale, most: number): number[] => {
  const every = Math.max(1, Math.ceil((max - min) / step / most)) * step;
  const first = Math.ceil(min / every - 1e-9) * every;
  return Array.from({ length: Math.floor((max - first) / every + 1e-9) + 1 }, (_, at) => first + at * every);
};

/** Places times and values in a plot. */
export const placing = ({ start, end }: Window, { min, max }: ValueScale, plot: Field) => ({
  x: (time: number) => plot.left + ((time - start) / (end - start)) * (plot.right - plot.left),
  y: (value: number) => plot.bottom - ((value - min) / (max - min)) * (plot.bottom - plot.top),
});
export type Place = ReturnType<typeof placing>;

/** A line as an SVG path; levels keep until the next sample. */
export const pathOf = (samples: readonly Sample[], { x, y }: Place, isStepped: boolean): string => {
  let isDown = false;
  const parts = samples.map(([time, value]) => {
    if (value === null) {
      isDown = false;
      return "";
    }
    const [left, top] = [x(time).toFixed(1), y(value).toFixed(1)];
    const part = isDown ? (isStepped ? `H${left}V${top}` : `L${left} ${top}`) : `M${left} ${top}`;
    isDown = true;
    return part;
  });
  return parts.join("");
};
