/** How many settings periods are visible at a time. (spec 1 §9) */
export const visibleSlots = 3;

/** Which periods of the list, newest first, are visible when the newest visible one is at `offset`: oldest first. */
export const slotsAt = <T>(periods: T[], offset: number): T[] => periods.slice(offset, offset + visibleSlots).reverse();

/** The offset one period earlier or later; never beyond the ends of the list. */
export const movedBy = (offset: number, step: number, count: number): number =>
  Math.max(0, Math.min(offset + step, Math.max(0, count - visibleSlots)));

/** The offset at which the period at `index` is visible, moved as little as possible. */
export const offsetShowing = (index: number, offset: number): number => {
  if (index < offset) return index;
  return index >= offset + visibleSlots ? index - visibleSlots + 1 : offset;
};
