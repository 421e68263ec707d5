import { IconMailForward, IconPencil, IconTrash } from "@tabler/icons-react";
import { type UserRow, UserStatus } from "@telltale/contract/domains/people/users";
import { useSession } from "../../session/session.ts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";

type Operation = (user: UserRow) => void;

/** What can be done with a user. */
export interface UserOperations {
  edit: Operation;
  remove: Operation;
  /** Mails the invitation once more. */
  invite: Operation;
}

/** Edit, delete, invite again. The owner is neither edited nor deleted, and nobody deletes oneself. (spec 2 §2) */
export const OperationCell = ({ user, operations }: { user: UserRow; operations: UserOperations }) => {
  const { account } = useSession();
  const { accountId, parentAccountId, userEmail } = user;
  const isOwner = accountId === parentAccountId;
  if (isOwner) return null;
  return (
    <Operations>
      <OperationButton label={`Edit ${userEmail}`} icon={IconPencil} onClick={() => operations.edit(user)} />
      {accountId !== account.accountId && (
        <OperationButton label={`Delete ${userEmail}`} icon={IconTrash} onClick={() => operations.remove(user)} />
      )}
      {user.activate === UserStatus.inactive && (
        <OperationButton
          label={`Invite ${userEmail} again`}
          icon={IconMailForward}
          onClick={() => operations.invite(user)}
        />
      )}
    </Operations>
  );
};
