import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { removeError, statusError, targetsOf, tileChanges } from "./configuration.rules.ts";

const ids = () => fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
const chosen = () => fc.record({ deviceChannelIds: ids(), dashboardGroupIds: ids(), deviceIds: ids() });

describe("the tiles of a dashboard that is changed", () => {
  test("are afterwards exactly those chosen, and those that stay are not touched", () => {
    fc.assert(
      fc.property(chosen(), chosen(), (before, after) => {
        const standing = targetsOf(before).map((target, at) => ({ ...target, tile_id: at + 1 }));
        const wanted = targetsOf(after);
        const { gone, added } = tileChanges(standing, wanted);
        const kept = standing.filter((tile) => !gone.includes(tile.tile_id)).map(({ tile_id: _, ...target }) => target);
        const now = [...kept, ...added].map((target) => JSON.stringify(target));
        expect(now.toSorted()).toEqual(wanted.map((target) => JSON.stringify(target)).toSorted());
      }),
    );
  });

  test("stand there once, however often they were chosen", () => {
    expect(targetsOf({ deviceChannelIds: [7, 7], dashboardGroupIds: [7], deviceIds: [] })).toHaveLength(2);
  });
});

describe("the default", () => {
  test("is switched on, never off", () => {
    expect(statusError(true, 0)).toMatch(/make another one the default/);
    for (const [isDefault, wanted] of [
      [true, 1],
      [false, 1],
      [false, 0],
    ] as const)
      expect(statusError(isDefault, wanted)).toBeUndefined();
  });

  test("is the last dashboard to be deleted", () => {
    expect(removeError(true, 1)).toMatch(/Make another dashboard the default/);
    expect(removeError(true, 0)).toBeUndefined();
    expect(removeError(false, 3)).toBeUndefined();
  });
});
