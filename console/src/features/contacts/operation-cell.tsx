import { IconDialpad, IconMailForward, IconPencil, IconTrash } from "@tabler/icons-react";
import { type ContactRow, ContactStatus } from "@telltale/contract/domains/people/contacts";
import { contactChannels } from "@telltale/contract/notification-channels";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";

type Operation = (contact: ContactRow) => void;

/** Row operations of a contact. */
export interface ContactOperations {
  /** Repeats the consent request. */
  ask: Operation;
  /** Enters the code that was sent to the phone. */
  enterCode: Operation;
  /** Changes its name and whether it may confirm alerts. */
  edit: Operation;
  remove: Operation;
}

/**
 * An unverified contact can be asked again, and a phone's pending code can be entered; any contact can be changed and deleted. For one that has refused, the
 * server says when it may be asked again.
 */
export const OperationCell = ({ contact, operations }: { contact: ContactRow; operations: ContactOperations }) => {
  const { contactInfo, type, status } = contact;
  const takesCode = contactChannels[type].consent === "code";
  return (
    <Operations>
      {takesCode && status === ContactStatus.pending && (
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
      <OperationButton label={`Edit ${contactInfo}`} icon={IconPencil} onClick={() => operations.edit(contact)} />
      <OperationButton label={`Delete ${contactInfo}`} icon={IconTrash} onClick={() => operations.remove(contact)} />
    </Operations>
  );
};
