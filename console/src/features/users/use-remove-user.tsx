import { type UserRow, users } from "@telltale/contract/users";
import { type ReactNode, useCallback, useState } from "react";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

/** Asks before a user is deleted. (spec 2 §2) */
export const useRemoveUser = (): { ask: (user: UserRow) => void; dialog: ReactNode } => {
  const [asked, setAsked] = useState<UserRow>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, isPending } = useAction(users.remove, {
    success: "Delete successful",
    invalidates: [users.list],
    onDone: close,
  });
  return {
    ask: useCallback((user) => {
      setAsked(user);
      setOpen(true);
    }, []),
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Delete user"
        action="Delete"
        onConfirm={() => asked && mutate({ accountId: asked.accountId })}
        isBusy={isPending}
      >
        Are you sure that you want to delete this User?
        <p>{asked?.userEmail}</p>
      </ConfirmDialog>
    ),
  };
};
