import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { Window } from "../../../../domain/samples.ts";
import type { Field } from "../drawing/free-place.ts";
import type { ValueScale } from "../drawing/value-scale.ts";
import { limitsIn } from "./thresholds.ts";

/** A limit in a plot. */
export interface PlacedLimit extends Threshold, Window {
  /** The value at which it stands: that of the nearer end of the axis for one that is off the plot. */
  drawn: number;
  isAway: boolean;
  /** What stands before the name of one that is off the plot: where it is. */
  arrow: string;
  /** Pixels from the top. */
  height: number;
}

/** The part of the window in which a limit was in force. */
export const extentOf = ({ during }: Threshold, { start, end }: Window): Window => ({
  start: Math.max(start, during?.from ?? start),
  end: Math.min(end, during?.until ?? end),
});

/** The limits of a view, from the top. One that is off the plot stands at its nearer end and has an arrow: it must not go untold. */
export const placedLimits = (
  thresholds: readonly Threshold[],
  view: Window,
  { min, max }: ValueScale,
  { top, bottom }: Pick<Field, "top" | "bottom">,
): PlacedLimit[] =>
  limitsIn(thresholds, view)
    .toSorted((a, b) => b.value - a.value)
    .map((limit) => {
      const drawn = Math.min(max, Math.max(min, limit.value));
      const isAway = drawn !== limit.value;
      return {
        ...limit,
        ...extentOf(limit, view),
        drawn,
        isAway,
        arrow: isAway ? (limit.value > max ? "↑ " : "↓ ") : "",
        height: bottom - ((drawn - min) / (max - min)) * (bottom - top),
      };
    });
