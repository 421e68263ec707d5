/**
 * The roles of a table, said aloud: table elements that are laid out as grids lose them in some browsers, and the rows
 * on screen are only a part of all rows.
 */
export const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  cell: { role: "cell" },
} as const;
