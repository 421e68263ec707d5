/** The list with `added` at its end; what is on it stays where it is. */
export const withAdded = (list: readonly number[], added: readonly number[]): number[] => [
  ...new Set([...list, ...added]),
];

/**
 * The list with its seen channels in another order; those that are not seen now keep their places. Undefined when `wanted` is not exactly what
 * is seen: somebody has changed the list meanwhile.
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
