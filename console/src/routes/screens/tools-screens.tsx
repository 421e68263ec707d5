import { JointEditor } from "../../features/joint/joint-editor.tsx";
import { ShortcutForm } from "../../features/personal/shortcuts/shortcut-form.tsx";

export { JointList as JointScreen } from "../../features/joint/joint-list.tsx";
export { KeyboardPage as KeyboardScreen } from "../../features/personal/shortcuts/shortcut-list.tsx";
export { AddChannels as PersonalAddScreen } from "../../features/personal/watchlist/add-channels.tsx";
export { Watchlist as PersonalScreen } from "../../features/personal/watchlist/watchlist.tsx";

/** /jointAdd?jointId=: a joint control, or without an id a new one. (decisions §4) */
export const JointAddScreen = ({ jointId }: { jointId: number | undefined }) => <JointEditor jointId={jointId} />;

/** /keyboardAdd?shortcutId=: a shortcut, or without an id a new one. (decisions §4) */
export const KeyboardAddScreen = ({ shortcutId }: { shortcutId: number | undefined }) => (
  <ShortcutForm shortcutId={shortcutId} />
);
