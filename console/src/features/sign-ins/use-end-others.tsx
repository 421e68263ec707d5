import { signIns } from "@telltale/contract/sign-ins";
import { type ReactNode, useState } from "react";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

/** Signs out everywhere else, after a question: `ask` opens it, `dialog` belongs anywhere in the page. */
export const useEndOthers = (): { ask: () => void; dialog: ReactNode } => {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, isPending } = useAction(signIns.endOthers, {
    success: "Signed out everywhere else",
    invalidates: [signIns.list],
    onDone: close,
  });
  return {
    ask: () => setOpen(true),
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Sign out everywhere else"
        action="Sign out"
        onConfirm={() => mutate({})}
        isBusy={isPending}
      >
        Are you sure you want to sign out everywhere else?
        <p>You stay signed in here.</p>
      </ConfirmDialog>
    ),
  };
};
