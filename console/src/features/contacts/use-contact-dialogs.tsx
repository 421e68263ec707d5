import type { ContactRow } from "@telltale/contract/domains/people/contacts";
import { type ReactNode, useCallback, useState } from "react";
import { AddContactDialog, type AddedPhone } from "./add-contact-dialog.tsx";
import { CodeDialog } from "./code-dialog.tsx";
import { EditContactDialog } from "./edit-contact-dialog.tsx";

interface ContactDialogs {
  add: () => void;
  edit: (contact: ContactRow) => void;
  enterCode: (phone: AddedPhone) => void;
  dialogs: ReactNode;
}

/** The dialogs that add and change a contact and take a phone's code, reset at each opening; adding a phone continues with its code. */
export const useContactDialogs = (): ContactDialogs => {
  const [adding, setAdding] = useState({ count: 0, isOpen: false });
  const [code, setCode] = useState<{ count: number; isOpen: boolean; phone?: AddedPhone }>({ count: 0, isOpen: false });
  const [editing, setEditing] = useState<{ count: number; isOpen: boolean; contact?: ContactRow }>({
    count: 0,
    isOpen: false,
  });
  const enterCode = useCallback(
    ({ notifyUserId, contactInfo }: AddedPhone) =>
      setCode(({ count }) => ({ count: count + 1, isOpen: true, phone: { notifyUserId, contactInfo } })),
    [],
  );
  return {
    add: useCallback(() => setAdding(({ count }) => ({ count: count + 1, isOpen: true })), []),
    edit: useCallback(
      (contact: ContactRow) => setEditing(({ count }) => ({ count: count + 1, isOpen: true, contact })),
      [],
    ),
    enterCode,
    dialogs: (
      <>
        {adding.count > 0 && (
          <AddContactDialog
            key={`add ${adding.count}`}
            isOpen={adding.isOpen}
            onClose={() => setAdding((old) => ({ ...old, isOpen: false }))}
            onPhone={enterCode}
          />
        )}
        {editing.contact && (
          <EditContactDialog
            key={`edit ${editing.count}`}
            isOpen={editing.isOpen}
            onClose={() => setEditing((old) => ({ ...old, isOpen: false }))}
            contact={editing.contact}
          />
        )}
        {code.phone && (
          <CodeDialog
            key={`code ${code.count}`}
            isOpen={code.isOpen}
            onClose={() => setCode((old) => ({ ...old, isOpen: false }))}
            phone={code.phone}
          />
        )}
      </>
    ),
  };
};
