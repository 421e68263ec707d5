import { type DownloadRecord, downloads } from "@telltale/contract/domains/readings/downloads";
import { type ReactNode, useMemo } from "react";
import { useOpenDevice } from "../../domain/devices/device-links.tsx";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { Link } from "../../ui/router/link.tsx";
import { historyColumns, historyFilters } from "./history-columns.tsx";

const rowKey = (record: DownloadRecord) => record.downloadId;

const title = (
  <>
    <small>
      <Link to="/devices">DEVICES</Link> /
    </small>{" "}
    Download History
  </>
);

/** The user's downloads, newest first. (spec 1 §2) */
export const DownloadHistory = (): ReactNode => {
  const filters = useFilters(historyFilters);
  const pages = usePages(downloads.history, filters.values);
  const columns = useMemo(() => historyColumns(filters.by), [filters.by]);
  const open = useOpenDevice();
  return (
    <>
      <PageTitle aside={<RefreshButton onRefresh={pages.refetch} />}>{title}</PageTitle>
      <ListScreen
        label="Downloads"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={rowKey}
        onOpen={open}
        empty="Nothing has been downloaded yet"
      />
    </>
  );
};
