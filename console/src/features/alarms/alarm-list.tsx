import { type AlarmRow, alarms, systemClasses } from "@telltale/contract/domains/alarms";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useLiveRefetch } from "../../session/live/use-live-refetch.ts";
import { choice, days, text } from "../../table/filters/filters.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { type AlarmOperations, customColumns, systemColumns } from "./alarm-columns.tsx";
import { classLabels } from "./alarm-text.ts";

/** Filters of the custom alerts. (spec 2 §7) */
const customFilters = {
  name: text("alarmName"),
  deviceSnId: text("deviceSnId"),
  created: days("createdStartTime", "createdEndTime"),
};

const systemLabels = Object.fromEntries(systemClasses.map((each) => [each, classLabels[each] ?? ""]));

/** Filters of the limit and notification alerts. */
const systemFilters = { ...customFilters, alert: choice("alarmClass", systemLabels) };

const rowKey = (alarm: AlarmRow) => alarm.alarmId;

interface ListProps {
  /** Absent in a read-only view. */
  operations: AlarmOperations | undefined;
}

/** Alerts that watch a channel with a limit of their own. */
export const CustomAlarms = ({ operations }: ListProps): ReactNode => {
  const filters = useFilters(customFilters);
  const pages = usePages(alarms.list, filters.values);
  useLiveRefetch([alarms.list], [LiveCommand.dashboardChange]);
  const columns = useMemo(() => customColumns(filters.by, operations), [filters.by, operations]);
  return (
    <ListScreen
      label="Custom alerts"
      filters={filters}
      pages={pages}
      columns={columns}
      rowKey={rowKey}
      empty="There are no custom alerts"
    />
  );
};

/** Alerts for a device's own limits, or for its notifications. */
export const SystemAlarms = ({ operations }: ListProps): ReactNode => {
  const filters = useFilters(systemFilters);
  const pages = usePages(alarms.systemList, filters.values);
  useLiveRefetch([alarms.systemList], [LiveCommand.dashboardChange]);
  const columns = useMemo(() => systemColumns(filters.by, operations), [filters.by, operations]);
  return (
    <ListScreen
      label="Threshold alerts and notifications"
      filters={filters}
      pages={pages}
      columns={columns}
      rowKey={rowKey}
      empty="There are no threshold alerts and notifications"
    />
  );
};
