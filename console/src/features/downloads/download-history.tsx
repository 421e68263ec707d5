import { Link } from "@tanstack/react-router";
import { type DownloadRecord, downloads } from "@telltale/contract/domains/downloads";
import { type ReactNode, useMemo } from "react";
import { useOpenDevice } from "../../domain/device-place.tsx";
import { DataTable } from "../../table/data-table.tsx";
import { FilterTags } from "../../table/filters/filter-tags.tsx";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListEnd } from "../../table/list-end.tsx";
import { usePages } from "../../table/use-pages.ts";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { historyColumns, historyFilters, historyHeads } from "./history-columns.tsx";

const rowKey = (record: DownloadRecord) => record.downloadId;

const title = (
  <>
    <small>
      <Link to="/devices">DEVICES</Link> /
    </small>{" "}
    Download History
  </>
);

/** What the user has downloaded, newest first. (spec 1 §2) */
export const DownloadHistory = (): ReactNode => {
  const filters = useFilters(historyFilters);
  const pages = usePages(downloads.history, filters.values);
  const columns = useMemo(() => historyColumns(filters.by), [filters.by]);
  const open = useOpenDevice();
  return (
    <>
      <PageTitle aside={<RefreshButton onRefresh={pages.refetch} />}>{title}</PageTitle>
      <FilterTags filters={filters} heads={historyHeads} />
      <DataTable
        label="Downloads"
        columns={columns}
        rows={pages.rows}
        rowKey={rowKey}
        onOpen={open}
        view={pages.view}
        footer={
          <ListEnd
            pages={pages}
            empty={filters.isActive ? "No downloads match these filters" : "Nothing has been downloaded yet"}
            onClear={filters.isActive ? filters.clear : undefined}
          />
        }
      />
    </>
  );
};
