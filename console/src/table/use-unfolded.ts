import { useCallback, useState } from "react";

const none: ReadonlySet<string> = new Set();

/** A set with the key in it, or without it if it was. */
const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  keys.has(key) ? new Set([...keys].filter((each) => each !== key)) : new Set([...keys, key]);

/** Which rows show their sub rows. */
export interface Unfolded {
  has: (key: string) => boolean;
  toggle: (key: string) => void;
}

/**
 * Which rows show their sub rows: to begin with all of them or none, and then as somebody folds and unfolds them. Rows
 * that come in later begin like the others. Begins anew when `areOpen` changes.
 */
export const useUnfolded = (areOpen: boolean): Unfolded => {
  const [changed, setChanged] = useState({ areOpen, keys: none });
  const exceptions = changed.areOpen === areOpen ? changed.keys : none;
  return {
    has: useCallback((key) => exceptions.has(key) !== areOpen, [exceptions, areOpen]),
    toggle: useCallback(
      (key) => setChanged((last) => ({ areOpen, keys: toggled(last.areOpen === areOpen ? last.keys : none, key) })),
      [areOpen],
    ),
  };
};
