import { keyboard, targetLabel } from "@telltale/contract/keyboard";
import { useRemoval } from "../../form/use-removal.tsx";
import { Keycaps } from "../../ui/keycaps.tsx";
import type { Shortcut } from "./use-shortcuts.ts";

/** Asks before a shortcut of one's own is deleted. */
export const useRemoveShortcut = () =>
  useRemoval({
    call: keyboard.remove,
    inputOf: ({ shortcutId }: Shortcut) => (shortcutId === undefined ? {} : { shortcutId }),
    invalidates: [keyboard.list],
    title: "Delete shortcut",
    question: ({ target, keys }) => (
      <>
        Are you sure that you want to delete this shortcut?
        <p>
          {targetLabel(target)} <Keycaps keys={keys} />
        </p>
      </>
    ),
  });
