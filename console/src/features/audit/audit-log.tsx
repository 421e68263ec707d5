import { type AuditRow, audit } from "@telltale/contract/domains/audit";
import { type ReactNode, useMemo } from "react";
import { days, text } from "../../table/filters/filters.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { auditColumns } from "./audit-columns.tsx";

/** Filters of the audit log. */
const auditFilters = {
  time: days("createdStartTime", "createdEndTime"),
  who: text("email"),
  action: text("action"),
};

const keyOfEntry = (entry: AuditRow) => entry.auditId;

/** Changes in the plant by user, and support views, newest first. */
export const AuditLog = (): ReactNode => {
  const filters = useFilters(auditFilters);
  const pages = usePages(audit.list, filters.values);
  const columns = useMemo(() => auditColumns(filters.by), [filters.by]);
  return (
    <>
      <PageTitle aside={<RefreshButton onRefresh={pages.refetch} />}>AUDIT LOG</PageTitle>
      <ListScreen
        label="Audit log"
        noun="entries"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={keyOfEntry}
        empty="Nothing has been changed yet"
      />
    </>
  );
};
