import { type UserRow, users } from "@telltale/contract/domains/people/users";
import { type ReactNode, useMemo } from "react";
import { useRemoval } from "../../form/use-confirmed-action.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListPage } from "../../table/list-page.tsx";
import { usePages } from "../../table/use-pages.ts";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
import type { UserOperations } from "./operation-cell.tsx";
import { configureColumns } from "./user-columns.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { configureFilters } from "./user-filters.ts";
import { userMeanings } from "./user-status.ts";

/** Asks for confirmation before a user is deleted. (spec 2 §2) */
const useRemoveUser = () =>
  useRemoval({
    call: users.remove,
    inputOf: ({ accountId }: UserRow) => ({ accountId }),
    invalidates: [users.list],
    title: "Delete user",
    question: ({ userEmail }) => (
      <>
        Are you sure that you want to delete this User?
        <p>{userEmail}</p>
      </>
    ),
  });

const keyOfUser = (user: UserRow) => user.accountId;

/** The plant's users, to add, edit, invite and delete. (spec 2 §2) */
export const ConfigureUsers = (): ReactNode => {
  const filters = useFilters(configureFilters);
  const pages = usePages(users.list, filters.values);
  useRecordsRefetch([users.list], ["user"]);
  const isEditor = useSession().can("users.write");
  const { open: edit, ...form } = useDialogSubject<UserRow | undefined>();
  const { ask: remove, dialog: removal } = useRemoveUser();
  const { mutate: inviteAgain } = useAction(users.invite, { success: "Invitation sent" });

  const operations = useMemo<UserOperations | undefined>(
    () => (isEditor ? { edit, remove, invite: ({ accountId }) => inviteAgain({ accountId }) } : undefined),
    [isEditor, edit, remove, inviteAgain],
  );
  const columns = useMemo(() => configureColumns(filters.by, operations), [filters.by, operations]);
  return (
    <ListPage
      title="CONFIGURATION-USER"
      legendKey="telltale-user-legend"
      meanings={userMeanings}
      add={isEditor ? { label: "Add user", onClick: () => edit(undefined) } : undefined}
      label="Users"
      filters={filters}
      pages={pages}
      columns={columns}
      rowKey={keyOfUser}
      empty="There are no users"
    >
      {form.count > 0 && (
        <UserDialog key={form.count} subject={form.subject} isOpen={form.isOpen} onClose={form.close} />
      )}
      {removal}
    </ListPage>
  );
};
