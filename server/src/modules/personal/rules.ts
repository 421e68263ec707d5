/** The list with `added` appended; existing entries keep their places. */
export const withAdded = (list: readonly number[], added: readonly number[]): number[] => [
  ...new Set([...list, ...added]),
];

/**
 * The list with its visible channels reordered; invisible ones keep their places. Undefined when `wanted` is not exactly the visible set: the list
 * has changed meanwhile.
 */
export const reordered = (
  list: readonly number[],
  seen: readonly number[],
  wanted: readonly number[],
): number[] | undefined => {
  const [visible, order] = [new Set(seen), [...new Set(wanted)]];
  if (order.length !== visible.size || order.some((id) => !visible.has(id))) return undefined;
  let next = 0;
  return list.map((id) => (visible.has(id) ? (order[next++] ?? id) : id));
};
