import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type UserRow, users } from "@telltale/contract/users";
import { type ReactNode, useMemo } from "react";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { DataTable } from "../../table/data-table.tsx";
import { FilterTags } from "../../table/filter-tags.tsx";
import { ListEnd } from "../../table/list-end.tsx";
import { useFilters } from "../../table/use-filters.ts";
import { usePages } from "../../table/use-pages.ts";
import { ListHead } from "../../ui/list-head.tsx";
import type { UserOperations } from "./operation-cell.tsx";
import { useEditUser } from "./use-edit-user.tsx";
import { useRemoveUser } from "./use-remove-user.tsx";
import { configureColumns } from "./user-columns.tsx";
import { configureFilters, configureHeads } from "./user-filters.ts";
import { userMeanings } from "./user-status.ts";

const keyOfUser = (user: UserRow) => user.accountId;

/** The plant's users, to add, edit, invite and delete. (spec 2 §2) */
export const ConfigureUsers = (): ReactNode => {
  const filters = useFilters(configureFilters);
  const pages = usePages(users.list, filters.values);
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
      <FilterTags filters={filters} heads={configureHeads} />
      <DataTable
        label="Users"
        columns={columns}
        rows={pages.rows}
        rowKey={keyOfUser}
        view={pages.view}
        footer={
          <ListEnd
            pages={pages}
            empty={filters.isActive ? "No users match these filters" : "There are no users"}
            onClear={filters.isActive ? filters.clear : undefined}
          />
        }
      />
      {editing.dialog}
      {removing.dialog}
    </>
  );
};
