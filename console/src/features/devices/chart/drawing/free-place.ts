/** A point of the drawing, in pixels. */
export type Point = readonly [x: number, y: number];

/** Free distance between a read-out and a line, in pixels. */
const clear = 8;
/** Distance from the cursor. */
const beside = 14;

interface Size {
  width: number;
  height: number;
}

/** The plot, in pixels. */
export interface Field {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A free stretch of a column, from the top. */
type Stretch = [from: number, to: number];

/** What lines occupy between two places of the x axis, each segment from its highest to its lowest point. */
const occupied = (lines: readonly (readonly Point[])[], from: number, to: number): Stretch[] =>
  lines.flatMap((line) =>
    line.flatMap(([x, y], index): Stretch[] => {
      const before = line[index - 1] ?? [x, y];
      if (x < from || before[0] > to) return [];
      return [[Math.min(y, before[1]) - clear, Math.max(y, before[1]) + clear]];
    }),
  );

/** The longest stretch of the field's height that nothing occupies. */
const longestFree = (taken: Stretch[], { top, bottom }: Field): Stretch => {
  let best: Stretch = [top, top];
  let from = top;
  for (const [start, end] of [...taken.toSorted(([a], [b]) => a - b), [bottom, bottom] as Stretch]) {
    const to = Math.min(start, bottom);
    if (to - from > best[1] - best[0]) best = [from, to];
    from = Math.max(from, end);
  }
  return best;
};

/** The heights of labels: as near to their own as they may be without covering one another, `step` pixels apart. */
export const spread = (heights: readonly number[], [top, bottom]: Stretch, step: number): number[] => {
  const order = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const placed: number[] = [];
  let least = top;
  for (const [nth, index] of order.entries()) {
    const room = bottom - (order.length - 1 - nth) * step;
    const at = Math.max(least, Math.min(heights[index] ?? 0, room));
    placed[index] = at;
    least = at + step;
  }
  return placed;
};

/** Under the plot, for a read-out that has no room in it. */
export const underPlot = ([x]: Point, { width }: Size, field: Field): [x: number, y: number] => [
  Math.min(Math.max(field.left, x - width / 2), Math.max(field.left, field.right - width)),
  field.bottom + clear,
];

/**
 * Where a read-out stands: in the largest free field beside the cursor, as near to the pointer as it may be, and on no line. Undefined
 * where both sides are full.
 */
export const freePlace = (
  lines: readonly (readonly Point[])[],
  [x, y]: Point,
  { width, height }: Size,
  field: Field,
): [x: number, y: number] | undefined => {
  const sides = [x + beside, x - beside - width].filter((left) => left >= 0 && left + width <= field.right);
  const places = sides.map((left) => ({
    left,
    free: longestFree(occupied(lines, left - clear, left + width + clear), field),
  }));
  const [best] = places.toSorted((a, b) => b.free[1] - b.free[0] - (a.free[1] - a.free[0]));
  if (!best || best.free[1] - best.free[0] < height) return undefined;
  const [from, to] = best.free;
  return [best.left, Math.min(Math.max(y - height / 2, from), to - height)];
};
