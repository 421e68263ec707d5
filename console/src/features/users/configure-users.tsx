import { IconPlus } from "@tabler/icons-react";
import { type UserRow, users } from "@telltale/contract/domains/people/users";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useRemoval } from "../../form/use-removal.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { Button } from "../../ui/control/button.tsx";
import { ListHead } from "../../ui/page/list-head.tsx";
import type { UserOperations } from "./operation-cell.tsx";
import { configureColumns } from "./user-columns.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { configureFilters } from "./user-filters.ts";
import { userMeanings } from "./user-status.ts";

interface EditUser {
  add: () => void;
  edit: (user: UserRow) => void;
  dialog: ReactNode;
}

/** The dialog that adds and edits, reset at each opening. */
const useEditUser = (): EditUser => {
  const [opening, setOpening] = useState<{ count: number; subject: UserRow | undefined }>({
    count: 0,
    subject: undefined,
  });
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((subject: UserRow | undefined) => {
    setOpening(({ count }) => ({ count: count + 1, subject }));
    setOpen(true);
  }, []);
  return {
    add: useCallback(() => open(undefined), [open]),
    edit: open,
    dialog: opening.count > 0 && (
      <UserDialog key={opening.count} subject={opening.subject} isOpen={isOpen} onClose={() => setOpen(false)} />
    ),
  };
};

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
  const editing = useEditUser();
  const removing = useRemoveUser();
  const { mutate: inviteAgain } = useAction(users.invite, { success: "Invitation sent" });

  const { edit } = editing;
  const { ask: remove } = removing;
  const operations = useMemo<UserOperations | undefined>(
    () => (isEditor ? { edit, remove, invite: ({ accountId }) => inviteAgain({ accountId }) } : undefined),
    [isEditor, edit, remove, inviteAgain],
  );
  const columns = useMemo(() => configureColumns(filters.by, operations), [filters.by, operations]);
  const addButton = isEditor && (
    <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={editing.add} data-shortcut="add">
      Add user
    </Button>
  );
  return (
    <>
      <ListHead
        title="CONFIGURATION-USER"
        legendKey="telltale-user-legend"
        meanings={userMeanings}
        onRefresh={pages.refetch}
        action={addButton}
      />
      <ListScreen
        label="Users"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={keyOfUser}
        empty="There are no users"
      />
      {editing.dialog}
      {removing.dialog}
    </>
  );
};
