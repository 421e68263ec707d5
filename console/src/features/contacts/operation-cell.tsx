import { IconDialpad, IconMailForward, IconTrash } from "@tabler/icons-react";
import { type ContactRow, ContactStatus, ContactType } from "@telltale/contract/domains/people/contacts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";

type Operation = (contact: ContactRow) => void;

/** What can be done with a contact. */
export interface ContactOperations {
  /** Asks it once more. */
  ask: Operation;
  /** Takes the code that its phone was sent. */
  enterCode: Operation;
  remove: Operation;
}

/**
 * A contact that has not agreed is asked again, and the code of a phone that was asked is entered; any can be deleted. Of one that has
 * refused the server says from when on it may be asked.
 */
export const OperationCell = ({ contact, operations }: { contact: ContactRow; operations: ContactOperations }) => {
  const { contactInfo, type, status } = contact;
  const isPhone = type === ContactType.phone;
  return (
    <Operations>
      {isPhone && status === ContactStatus.pending && (
        <OperationButton
          label={`Enter the code of ${contactInfo}`}
          icon={IconDialpad}
          onClick={() => operations.enterCode(contact)}
        />
      )}
      {status !== ContactStatus.verified && (
        <OperationButton
          label={`Ask ${contactInfo} again`}
          icon={IconMailForward}
          onClick={() => operations.ask(contact)}
        />
      )}
      <OperationButton label={`Delete ${contactInfo}`} icon={IconTrash} onClick={() => operations.remove(contact)} />
    </Operations>
  );
};
