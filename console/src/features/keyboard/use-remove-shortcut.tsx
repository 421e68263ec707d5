import { keyboard, targetLabel } from "@telltale/contract/keyboard";
import { type ReactNode, useState } from "react";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Keycaps } from "../../ui/keycaps.tsx";
import type { Shortcut } from "./use-shortcuts.ts";

/** Asks before a shortcut is deleted. */
export const useRemoveShortcut = (): { ask: (shortcut: Shortcut) => void; dialog: ReactNode } => {
  const [asked, setAsked] = useState<Shortcut>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, isPending } = useAction(keyboard.remove, {
    success: "Delete successful",
    invalidates: [keyboard.list],
    onDone: close,
  });
  return {
    ask: (shortcut) => {
      setAsked(shortcut);
      setOpen(true);
    },
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Delete shortcut"
        action="Delete"
        onConfirm={() => asked?.shortcutId !== undefined && mutate({ shortcutId: asked.shortcutId })}
        isBusy={isPending}
      >
        Are you sure that you want to delete this shortcut?
        {asked && (
          <p>
            {targetLabel(asked.target)} <Keycaps keys={asked.keys} />
          </p>
        )}
      </ConfirmDialog>
    ),
  };
};
