import { useEffect, useId, useSyncExternalStore } from "react";
import { useCloseOnBack } from "../router/hooks.ts";

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

/**
 * Whether nothing else has opened above it: Escape must close the question, and not the form below it with its input. So does the browser's Back, which
 * calls `close`.
 */
export const useTopmost = (isOpen: boolean, close: () => void): boolean => {
  const id = useId();
  useCloseOnBack(isOpen, close);
  useEffect(() => {
    if (!isOpen) return;
    change([...open, id]);
    return () => change(open.filter((each) => each !== id));
  }, [isOpen, id]);
  return useSyncExternalStore(subscribe, () => open.at(-1) === id);
};
