import { describe, expect, it } from "vitest";
import { concurrentChanges, type MergeGroup, merged } from "./merge.ts";

interface Row {
  name: string;
  notes: string;
  tiles: number[];
}

const groups: MergeGroup<Row, Row>[] = [
  { label: "Name", keys: ["name"], text: ({ name }) => name },
  { label: "Notes", keys: ["notes"], text: ({ notes }) => notes },
  { label: "Tiles", keys: ["tiles"], text: ({ tiles }) => `${tiles.length} tiles` },
];
const opened: Row = { name: "Pumps", notes: "", tiles: [1, 2] };
const versions = (newest: Partial<Row>, mine: Partial<Row>) => ({
  groups,
  fieldsOf: (row: Row) => row,
  opened,
  newest: { ...opened, ...newest },
  mine: { ...opened, ...mine },
});

describe("a form whose record other users have changed in the meantime", () => {
  it("keeps what only the others changed, and saves what only the form changed", () => {
    const both = versions({ notes: "theirs" }, { name: "Mine" });
    expect(concurrentChanges(both)).toEqual([{ label: "Notes", before: "", theirs: "theirs", mine: undefined }]);
    expect(merged(both, {})).toEqual({ name: "Mine", notes: "theirs", tiles: [1, 2] });
  });

  it("asks about what both changed, and compares with the current value", () => {
    const both = versions({ name: "Theirs", tiles: [1] }, { name: "Mine" });
    expect(concurrentChanges(both)[0]).toEqual({ label: "Name", before: "Pumps", theirs: "Theirs", mine: "Mine" });
    expect(merged(both, { Name: "mine" })).toEqual({ name: "Mine", notes: "", tiles: [1] });
    expect(merged(both, { Name: "theirs" })).toEqual({ name: "Theirs", notes: "", tiles: [1] });
  });

  it("keeps an order set by others", () => {
    const arranged = groups.map((group) => ({ ...group, isOrdered: true }));
    const both = { ...versions({ tiles: [2, 1] }, { name: "Mine" }), groups: arranged };
    expect(concurrentChanges(both)).toEqual([
      { label: "Tiles", before: "2 tiles", theirs: "2 tiles, in another order", mine: undefined },
    ]);
    expect(merged(both, {})).toEqual({ name: "Mine", notes: "", tiles: [2, 1] });
  });

  it("asks nothing where both made the same change, in any order", () => {
    const both = versions({ name: "New", tiles: [3, 1] }, { name: "New", tiles: [1, 3] });
    expect(concurrentChanges(both).every(({ mine }) => mine === undefined)).toBe(true);
    expect(merged(both, {})).toMatchObject({ name: "New" });
  });
});
