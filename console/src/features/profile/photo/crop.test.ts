import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dragged, edgeOf, largestZoom, middleOf, zoomed } from "./crop.ts";

const wide = { width: 800, height: 400 };

describe("the square of a photo", () => {
  it("is initially the largest centred square", () => {
    expect(middleOf(wide)).toEqual({ x: 400, y: 200, zoom: 1 });
    expect(edgeOf(wide, middleOf(wide))).toBe(400);
  });

  it("moves by the dragged share of the view", () => {
    expect(dragged(wide, middleOf(wide), 0.25, 0)).toMatchObject({ x: 300, y: 200 });
    expect(dragged(wide, zoomed(wide, middleOf(wide), 2), 0, -0.5)).toMatchObject({ x: 400, y: 300 });
  });

  it("never leaves the picture, however it is dragged and zoomed", () => {
    const amount = fc.double({ min: -3, max: 9, noNaN: true });
    const side = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(side, side, amount, amount, amount, (width, height, zoom, right, down) => {
        const size = { width, height };
        const crop = dragged(size, zoomed(size, middleOf(size), zoom), right, down);
        const half = edgeOf(size, crop) / 2;
        expect(crop.zoom).toBeGreaterThanOrEqual(1);
        expect(crop.zoom).toBeLessThanOrEqual(largestZoom);
        for (const [place, length] of [
          [crop.x, width],
          [crop.y, height],
        ] as const) {
          expect(place - half).toBeGreaterThanOrEqual(-1e-6);
          expect(place + half).toBeLessThanOrEqual(length + 1e-6);
        }
      }),
    );
  });
});
