import { IconMailForward, IconPencil, IconTrash } from "@tabler/icons-react";
import { type UserRow, UserStatus } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { useSession } from "../../session/session.ts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";

type Operation = (user: UserRow) => void;

/** Row operations of a user. */
export interface UserOperations {
  edit: Operation;
  remove: Operation;
  /** Mails the invitation again. */
  invite: Operation;
}

/**
 * Edit, delete, invite again. The plant's own account cannot be deleted, owners are changed only by an owner, and users cannot delete themselves.
 * (spec 2 §2)
 */
export const OperationCell = ({ user, operations }: { user: UserRow; operations: UserOperations }) => {
  const { account } = useSession();
  const { accountId, parentAccountId, roleType, userEmail } = user;
  if (roleType === Role.owner && account.roleType !== Role.owner) return null;
  return (
    <Operations>
      <OperationButton label={`Edit ${userEmail}`} icon={IconPencil} onClick={() => operations.edit(user)} />
      {accountId !== account.accountId && accountId !== parentAccountId && (
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
