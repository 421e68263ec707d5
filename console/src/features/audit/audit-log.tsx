import { type AuditRow, audit } from "@telltale/contract/domains/audit";
import { type ReactNode, useMemo } from "react";
import { DataTable } from "../../table/data-table.tsx";
import { FilterTags } from "../../table/filters/filter-tags.tsx";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListEnd } from "../../table/list-end.tsx";
import { usePages } from "../../table/use-pages.ts";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { auditColumns } from "./audit-columns.tsx";
import { auditFilters, auditHeads } from "./audit-filters.ts";

const keyOfEntry = (entry: AuditRow) => entry.auditId;

/** Who changed what in the plant, and when support looked, the latest first. */
export const AuditLog = (): ReactNode => {
  const filters = useFilters(auditFilters);
  const pages = usePages(audit.list, filters.values);
  const columns = useMemo(() => auditColumns(filters.by), [filters.by]);
  return (
    <>
      <PageTitle aside={<RefreshButton onRefresh={pages.refetch} />}>AUDIT LOG</PageTitle>
      <FilterTags filters={filters} heads={auditHeads} />
      <DataTable
        label="Audit log"
        columns={columns}
        rows={pages.rows}
        rowKey={keyOfEntry}
        view={pages.view}
        footer={
          <ListEnd
            pages={pages}
            empty={filters.isActive ? "No entries match these filters" : "Nothing has been changed yet"}
            onClear={filters.isActive ? filters.clear : undefined}
          />
        }
      />
    </>
  );
};
