/** Explicit ARIA roles: table elements laid out as grids lose theirs in some browsers, and the rows on screen are only a part of all rows. */
export const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  cell: { role: "cell" },
} as const;
