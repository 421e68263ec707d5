import { useSearch } from "@tanstack/react-router";
import { JointEditor } from "../../features/joint/joint-editor.tsx";
import { ShortcutForm } from "../../features/personal/shortcuts/shortcut-form.tsx";

export { JointList as JointScreen } from "../../features/joint/joint-list.tsx";
export { KeyboardPage as KeyboardScreen } from "../../features/personal/shortcuts/shortcut-list.tsx";
export { AddChannels as PersonalAddScreen } from "../../features/personal/watchlist/add-channels.tsx";
export { Watchlist as PersonalScreen } from "../../features/personal/watchlist/watchlist.tsx";

/** A number that the address gives; undefined where it gives none. */
const useNumber = (name: string): number | undefined => {
  const value = Number((useSearch({ strict: false }) as Record<string, unknown>)[name]);
  return Number.isInteger(value) && value > 0 ? value : undefined;
};

/** /jointAdd?jointId=: a joint control, or without an id a new one. (decisions §4) */
export const JointAddScreen = () => <JointEditor jointId={useNumber("jointId")} />;

/** /keyboardAdd?shortcutId=: a shortcut, or without an id a new one. (decisions §4) */
export const KeyboardAddScreen = () => <ShortcutForm shortcutId={useNumber("shortcutId")} />;
