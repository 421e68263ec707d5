import { useEffect, useId, useSyncExternalStore } from "react";

/** Open dialogs and drawers, the topmost last. */
let open: readonly string[] = [];
const listeners = new Set<() => void>();

const change = (next: readonly string[]): void => {
  open = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether nothing else has opened above it: Escape must close the question, and not the form below it with its input. */
export const useTopmost = (isOpen: boolean): boolean => {
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    change([...open, id]);
    return () => change(open.filter((each) => each !== id));
  }, [isOpen, id]);
  return useSyncExternalStore(subscribe, () => open.at(-1) === id);
};
