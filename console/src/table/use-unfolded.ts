import type { ExpandedState, Updater } from "@tanstack/react-table";
import { useCallback, useMemo, useState } from "react";

const none: readonly string[] = [];

const stateOf = (keys: readonly string[]): ExpandedState => Object.fromEntries(keys.map((key) => [key, true]));

/**
 * Which rows show their sub rows: to begin with all of them or none, and then as somebody folds and unfolds them. Rows
 * that come in later begin like the others. Begins anew when `areOpen` changes.
 */
export const useUnfolded = (keys: readonly string[], areOpen: boolean) => {
  const [changed, setChanged] = useState({ areOpen, keys: none });
  const exceptions = changed.areOpen === areOpen ? changed.keys : none;
  const expanded = useMemo(() => {
    const folded = new Set(exceptions);
    return stateOf(areOpen ? keys.filter((key) => !folded.has(key)) : exceptions);
  }, [keys, areOpen, exceptions]);
  const onExpandedChange = useCallback(
    (change: Updater<ExpandedState>) => {
      const next = typeof change === "function" ? change(expanded) : change;
      const isOpen = (key: string) => next === true || next[key] === true;
      setChanged({ areOpen, keys: areOpen ? keys.filter((key) => !isOpen(key)) : keys.filter(isOpen) });
    },
    [keys, areOpen, expanded],
  );
  return { expanded, onExpandedChange };
};
