import fc from "fast-check";
import { expect, test } from "vitest";
import { freePlace, type Point, spread, underPlot } from "./free-place.ts";

const field = { left: 50, right: 850, top: 30, bottom: 330 };
const size = { width: 130, height: 46 };

test("a read-out covers no line, wherever the line and the pointer are", () => {
  const heights = fc.array(fc.integer({ min: 30, max: 330 }), { minLength: 2, maxLength: 60 });
  const pointer = fc.record({ x: fc.integer({ min: 50, max: 850 }), y: fc.integer({ min: 30, max: 330 }) });
  fc.assert(
    fc.property(heights, pointer, (ys, { x, y }) => {
      const line = ys.map((height, index): Point => [50 + (index * 800) / (ys.length - 1), height]);
      const [left, top] = freePlace([line], [x, y], size, field) ?? underPlot([x, y], size, field);
      for (let at = left; at <= left + size.width; at += 2) {
        const after = line.findIndex((point) => point[0] >= at);
        const [a, b] = [line[Math.max(0, after - 1)], line[after]];
        if (!a || !b || at < field.left) continue;
        const share = b[0] === a[0] ? 0 : (at - a[0]) / (b[0] - a[0]);
        const height = a[1] + (b[1] - a[1]) * share;
        expect(height <= top || height >= top + size.height, `${at} ${height} of ${top}`).toBe(true);
      }
    }),
  );
});

test("it stands beside the pointer, at its height where that is free", () => {
  const low: Point[] = [
    [50, 320],
    [850, 320],
  ];
  expect(freePlace([low], [300, 100], size, field)).toEqual([314, 77]);
});

test("where there is no room it has no place in the plot", () => {
  const full = Array.from({ length: 400 }, (_, index): Point => [50 + index * 2, index % 2 ? 30 : 330]);
  expect(freePlace([full], [300, 100], size, field)).toBeUndefined();
  expect(underPlot([300, 100], size, field)[1]).toBeGreaterThan(field.bottom);
});

test("labels of lines that end together do not cover one another", () => {
  const placed = spread([100, 102, 98, 400], [30, 430], 38);
  const sorted = placed.toSorted((a, b) => a - b);
  expect(sorted.every((at, index) => index === 0 || at - (sorted[index - 1] ?? 0) >= 38)).toBe(true);
  expect(Math.max(...placed)).toBeLessThanOrEqual(430);
});
