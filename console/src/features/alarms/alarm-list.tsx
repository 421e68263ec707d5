import { type AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useLiveRefetch } from "../../session/live/use-live-refetch.ts";
import type { Column } from "../../table/column.tsx";
import { DataTable } from "../../table/data-table.tsx";
import { FilterTags } from "../../table/filters/filter-tags.tsx";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListEnd } from "../../table/list-end.tsx";
import { type Pages, usePages } from "../../table/use-pages.ts";
import { type AlarmOperations, customColumns, systemColumns } from "./alarm-columns.tsx";
import { customFilters, customHeads, systemFilters, systemHeads } from "./alarm-filters.ts";

const rowKey = (alarm: AlarmRow) => alarm.alarmId;

interface AlarmTableProps {
  label: string;
  columns: readonly Column<AlarmRow>[];
  pages: Pages<typeof alarms.list>;
  filters: { isActive: boolean; clear: () => void };
}

const AlarmTable = ({ label, columns, pages, filters: { isActive, clear } }: AlarmTableProps): ReactNode => {
  const words = label.toLowerCase();
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={pages.rows}
      rowKey={rowKey}
      view={pages.view}
      footer={
        <ListEnd
          pages={pages}
          empty={isActive ? `No ${words} match these filters` : `There are no ${words}`}
          onClear={isActive ? clear : undefined}
        />
      }
    />
  );
};

interface ListProps {
  /** Absent where one may only look. */
  operations: AlarmOperations | undefined;
}

/** Alerts that watch a channel by a value of their own. */
export const CustomAlarms = ({ operations }: ListProps): ReactNode => {
  const filters = useFilters(customFilters);
  const pages = usePages(alarms.list, filters.values);
  useLiveRefetch([alarms.list], [LiveCommand.dashboardChange]);
  const columns = useMemo(() => customColumns(filters.by, operations), [filters.by, operations]);
  return (
    <>
      <FilterTags filters={filters} heads={customHeads} />
      <AlarmTable label="Custom alerts" {...{ columns, pages, filters }} />
    </>
  );
};

/** Alerts that name a device's own limits, or what happens to it. */
export const SystemAlarms = ({ operations }: ListProps): ReactNode => {
  const filters = useFilters(systemFilters);
  const pages = usePages(alarms.systemList, filters.values);
  useLiveRefetch([alarms.systemList], [LiveCommand.dashboardChange]);
  const columns = useMemo(() => systemColumns(filters.by, operations), [filters.by, operations]);
  return (
    <>
      <FilterTags filters={filters} heads={systemHeads} />
      <AlarmTable label="Threshold alerts and notifications" {...{ columns, pages, filters }} />
    </>
  );
};
