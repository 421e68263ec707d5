import { describe, expect, it } from "vitest";
import { tableRows } from "./rows.ts";

interface Unit {
  key: number;
  below?: readonly Unit[];
}

const units: readonly Unit[] = [{ key: 1, below: [{ key: 11 }, { key: 12 }] }, { key: 2 }, { key: 3, below: [] }];
const keyOf = ({ key }: Unit) => key;
const below = (unit: Unit) => unit.below ?? [];
const shown = (rows: readonly Unit[], unfolded: readonly string[] = []) =>
  tableRows(rows, { keyOf, below, isUnfolded: (key) => unfolded.includes(key) });

describe("rows of a table", () => {
  it("keeps sub rows collapsed until their row is expanded", () => {
    expect(shown(units).map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(shown(units, ["1"]).map(({ id, depth }) => [id, depth])).toEqual([
      ["1", 0],
      ["11", 1],
      ["12", 1],
      ["2", 0],
      ["3", 0],
    ]);
  });

  it("makes only rows with sub rows expandable", () => {
    const rows = shown(units, ["1", "2", "3", "11"]);
    expect(rows.filter(({ canExpand }) => canExpand).map(({ id }) => id)).toEqual(["1"]);
    expect(rows.filter(({ isExpanded }) => isExpanded).map(({ id }) => id)).toEqual(["1"]);
  });

  it("counts the places of top-level rows, not of sub rows", () => {
    expect(shown(units, ["1"]).map(({ place }) => place)).toEqual([0, 0, 0, 1, 2]);
  });

  it("shows a duplicate row once, at its first place", () => {
    expect(shown([{ key: 1 }, { key: 2 }, { key: 1 }, { key: 3 }]).map(({ id }) => id)).toEqual(["1", "2", "3"]);
  });
});
