import type { ContactRow } from "@telltale/contract/domains/people/contacts";
import type { ReactNode } from "react";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
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
  const adding = useDialogSubject();
  const editing = useDialogSubject<ContactRow>();
  const code = useDialogSubject<AddedPhone>();
  return {
    add: adding.open,
    edit: editing.open,
    enterCode: code.open,
    dialogs: (
      <>
        {adding.count > 0 && (
          <AddContactDialog
            key={`add ${adding.count}`}
            isOpen={adding.isOpen}
            onClose={adding.close}
            onPhone={code.open}
          />
        )}
        {editing.subject && (
          <EditContactDialog
            key={`edit ${editing.count}`}
            isOpen={editing.isOpen}
            onClose={editing.close}
            contact={editing.subject}
          />
        )}
        {code.subject && (
          <CodeDialog key={`code ${code.count}`} isOpen={code.isOpen} onClose={code.close} phone={code.subject} />
        )}
      </>
    ),
  };
};
