/** Gives a field the focus and brings it into sight: focusing alone does not scroll back to a field that has the focus already. */
export const goToField = (field: HTMLElement | null | undefined): void => {
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: "nearest" });
};
