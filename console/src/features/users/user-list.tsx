import { type UserRow, users } from "@telltale/contract/domains/people/users";
import { type ReactNode, useMemo } from "react";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListPage } from "../../table/list-page.tsx";
import { usePages } from "../../table/use-pages.ts";
import { userColumns } from "./user-columns.tsx";
import { userFilters } from "./user-filters.ts";
import { userMeanings } from "./user-status.ts";

const keyOfUser = (user: UserRow) => user.accountId;

/** The plant's users with the date they joined and what each can see. (spec 2 §2) */
export const UserList = (): ReactNode => {
  const filters = useFilters(userFilters);
  const pages = usePages(users.list, filters.values);
  useRecordsRefetch([users.list], ["user"]);
  const columns = useMemo(() => userColumns(filters.by), [filters.by]);
  return (
    <ListPage
      title="USERS"
      legendKey="telltale-user-legend"
      meanings={userMeanings}
      label="Users"
      filters={filters}
      pages={pages}
      columns={columns}
      rowKey={keyOfUser}
      empty="There are no users"
    />
  );
};
