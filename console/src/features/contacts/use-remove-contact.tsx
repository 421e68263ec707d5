import { Code } from "@telltale/contract/codes";
import { type ContactRow, contacts } from "@telltale/contract/contacts";
import { type ReactNode, useCallback, useState } from "react";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

/** Asks before a contact is deleted. (spec 2 §8) */
export const useRemoveContact = (): { ask: (contact: ContactRow) => void; dialog: ReactNode } => {
  const [asked, setAsked] = useState<ContactRow>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, isPending } = useAction(contacts.remove, {
    success: "Delete successful",
    invalidates: [contacts.list, contacts.choices],
    onDone: close,
  });
  const remove = ({ notifyUserId }: ContactRow) =>
    // Somebody else has deleted it meanwhile: the question is settled.
    mutate({ notifyUserId }, { onError: ({ code }) => code === Code.notFound && close() });
  return {
    ask: useCallback((contact) => {
      setAsked(contact);
      setOpen(true);
    }, []),
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Delete contact"
        action="Delete"
        onConfirm={() => asked && remove(asked)}
        isBusy={isPending}
      >
        Are you sure that you want to delete this Contact?
        <p>
          {asked?.name}, {asked?.contactInfo}. No alert is told there any more.
        </p>
      </ConfirmDialog>
    ),
  };
};
