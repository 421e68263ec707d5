import type { UserRow } from "@telltale/contract/users";
import { type ReactNode, useCallback, useState } from "react";
import { UserDialog } from "./user-dialog.tsx";

interface EditUser {
  add: () => void;
  edit: (user: UserRow) => void;
  dialog: ReactNode;
}

/** The dialog that adds and edits: empty at each opening. */
export const useEditUser = (): EditUser => {
  const [opening, setOpening] = useState<{ count: number; subject: UserRow | undefined }>({
    count: 0,
    subject: undefined,
  });
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((subject: UserRow | undefined) => {
    setOpening(({ count }) => ({ count: count + 1, subject }));
    setOpen(true);
  }, []);
  return {
    add: useCallback(() => open(undefined), [open]),
    edit: open,
    dialog: opening.count > 0 && (
      <UserDialog key={opening.count} subject={opening.subject} isOpen={isOpen} onClose={() => setOpen(false)} />
    ),
  };
};
