import { type UserRow, users } from "@telltale/contract/domains/people/users";
import { type ReactNode, useMemo } from "react";
import { DataTable } from "../../table/data-table.tsx";
import { FilterTags } from "../../table/filters/filter-tags.tsx";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListEnd } from "../../table/list-end.tsx";
import { usePages } from "../../table/use-pages.ts";
import { ListHead } from "../../ui/page/list-head.tsx";
import { userColumns } from "./user-columns.tsx";
import { userFilters, userHeads } from "./user-filters.ts";
import { userMeanings } from "./user-status.ts";

const keyOfUser = (user: UserRow) => user.accountId;

/** Who works with the plant, since when, and how much each sees. (spec 2 §2) */
export const UserList = (): ReactNode => {
  const filters = useFilters(userFilters);
  const pages = usePages(users.list, filters.values);
  const columns = useMemo(() => userColumns(filters.by), [filters.by]);
  return (
    <>
      <ListHead title="USERS" legendKey="telltale-user-legend" meanings={userMeanings} onRefresh={pages.refetch} />
      <FilterTags filters={filters} heads={userHeads} />
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
    </>
  );
};
