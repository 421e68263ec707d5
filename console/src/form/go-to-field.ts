/** Focuses a field and scrolls it into view: focus alone does not scroll back to a field that already has it. */
export const goToField = (field: HTMLElement | null | undefined): void => {
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: "nearest" });
};
