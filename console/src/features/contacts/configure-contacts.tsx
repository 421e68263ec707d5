import { type ContactRow, contacts } from "@telltale/contract/domains/people/contacts";
import { type ReactNode, useMemo } from "react";
import { contactMeanings } from "../../domain/contact-status.ts";
import { useRemoval } from "../../form/use-confirmed-action.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListPage } from "../../table/list-page.tsx";
import { usePages } from "../../table/use-pages.ts";
import { contactColumns } from "./contact-columns.tsx";
import { contactFilters } from "./contact-filters.ts";
import type { ContactOperations } from "./operation-cell.tsx";
import { useContactDialogs } from "./use-contact-dialogs.tsx";

/** Asks for confirmation before a contact is deleted. (spec 2 §8) */
const useRemoveContact = () =>
  useRemoval({
    call: contacts.remove,
    inputOf: ({ notifyUserId }: ContactRow) => ({ notifyUserId }),
    invalidates: [contacts.list, contacts.choices],
    title: "Delete contact",
    question: ({ name, contactInfo }) => (
      <>
        Are you sure that you want to delete this Contact?
        <p>
          {name}, {contactInfo}. It receives no more alerts.
        </p>
      </>
    ),
  });

const keyOfContact = (contact: ContactRow) => contact.notifyUserId;

/** Recipients of the plant's alerts besides its users. (spec 2 §2) */
export const ConfigureContacts = (): ReactNode => {
  const filters = useFilters(contactFilters);
  const pages = usePages(contacts.list, filters.values);
  useRecordsRefetch([contacts.list], ["contact"]);
  const isEditor = useSession().can("contacts.write");
  const { add, edit, enterCode, dialogs } = useContactDialogs();
  const { ask: remove, dialog: removeDialog } = useRemoveContact();
  const { mutate: retryInterval } = useAction(contacts.ask, {
    success: "Submitted successfully",
    invalidates: [contacts.list, contacts.choices],
  });

  const operations = useMemo<ContactOperations | undefined>(
    () =>
      isEditor ? { enterCode, edit, remove, ask: ({ notifyUserId }) => retryInterval({ notifyUserId }) } : undefined,
    [isEditor, enterCode, edit, remove, retryInterval],
  );
  const columns = useMemo(() => contactColumns(filters.by, operations), [filters.by, operations]);
  return (
    <ListPage
      title="CONFIGURATION-CONTACTS"
      legendKey="telltale-contact-legend"
      meanings={contactMeanings}
      add={isEditor ? { label: "Add contact", onClick: () => add() } : undefined}
      label="Contacts"
      filters={filters}
      pages={pages}
      columns={columns}
      rowKey={keyOfContact}
      empty="There are no contacts"
    >
      {dialogs}
      {removeDialog}
    </ListPage>
  );
};
