import { type ContactRow, contacts } from "@telltale/contract/contacts";
import { useRemoval } from "../../form/use-removal.tsx";

/** Asks before a contact is deleted. (spec 2 §8) */
export const useRemoveContact = () =>
  useRemoval({
    call: contacts.remove,
    inputOf: ({ notifyUserId }: ContactRow) => ({ notifyUserId }),
    invalidates: [contacts.list, contacts.choices],
    title: "Delete contact",
    question: ({ name, contactInfo }) => (
      <>
        Are you sure that you want to delete this Contact?
        <p>
          {name}, {contactInfo}. No alert is told there any more.
        </p>
      </>
    ),
  });
