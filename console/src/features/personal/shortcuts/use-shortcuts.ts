import {
  conflicting,
  keyboard,
  shortcutActions,
  shortcutPages,
  standardShortcuts,
} from "@telltale/contract/domains/people/personal";
import { useMemo } from "react";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";

/** Keys and their target; `shortcutId` only for the user's own. */
export interface Shortcut {
  keys: string;
  target: string;
  shortcutId?: number;
}

/** Possible targets for this role: pages that it may open, and all actions. */
export const useTargets = (): { pages: string[]; actions: string[] } => {
  const { can } = useSession();
  return {
    pages: Object.entries(shortcutPages).flatMap(([path, { needs }]) => (can(needs) ? [path] : [])),
    actions: Object.keys(shortcutActions),
  };
};

/** The active shortcuts of this user; `isOn` is undefined until loaded. */
export const useShortcuts = () => {
  const query = useCall(keyboard.list, {}, { staleTime: 60_000, meta: { quiet: true } });
  const { pages, actions } = useTargets();
  const targets = [...pages, ...actions].join(" ");
  const { data } = query;
  const { standard, own } = useMemo(() => {
    const known = new Set(targets.split(" "));
    const isKnown = ({ target }: Shortcut) => known.has(target);
    const own = (data?.shortcuts ?? []).filter(isKnown);
    // Own ones were there first where a built-in one is new.
    const standard: Shortcut[] = standardShortcuts.filter((each) => isKnown(each) && !conflicting(each.keys, own));
    return { standard, own };
  }, [targets, data]);
  return { standard, own, isOn: data?.isOn, error: query.error, refetch: query.refetch };
};
