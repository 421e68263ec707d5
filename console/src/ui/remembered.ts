import { useCallback, useMemo, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** The event tells of changes in other tabs only. */
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
};

/**
 * A choice that this browser remembers as JSON in local storage, shared by all its tabs; `first` (always the same object) until one is made, and where what is stored
 * is no JSON. In place of a library's hook, which came with more code to every first screen.
 */
export const useRemembered = <T>(key: string, first: T): readonly [value: T, remember: (value: T) => void] => {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const value = useMemo((): T => {
    try {
      return text === null ? first : JSON.parse(text);
    } catch {
      return first;
    }
  }, [text, first]);
  const remember = useCallback(
    (next: T) => {
      localStorage.setItem(key, JSON.stringify(next));
      for (const listener of listeners) listener();
    },
    [key],
  );
  return [value, remember];
};
