import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type DashboardRow, dashboards } from "@telltale/contract/dashboards";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useSession } from "../../../session/session.ts";
import { useLiveRefetch } from "../../../session/use-live-refetch.ts";
import { DataTable } from "../../../table/data-table.tsx";
import { FilterTags } from "../../../table/filter-tags.tsx";
import { ListEnd } from "../../../table/list-end.tsx";
import { useFilters } from "../../../table/use-filters.ts";
import { usePages } from "../../../table/use-pages.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { RefreshButton } from "../../../ui/refresh-button.tsx";
import { type DashboardOperations, dashboardColumns } from "./dashboard-columns.tsx";
import { dashboardFilters, dashboardHeads } from "./dashboard-filters.ts";
import { useEditDashboard } from "./use-edit-dashboard.tsx";
import { useGroupDrawer } from "./use-group-drawer.tsx";
import { useMakeDefault } from "./use-make-default.tsx";
import { useRemoveDashboard } from "./use-remove.tsx";

const rowKey = (dashboard: DashboardRow) => dashboard.dashboardId;

/** What whoever may configure dashboards can do with one. */
const useOperations = (
  edit: DashboardOperations["edit"],
  remove: DashboardOperations["remove"],
  makeDefault: DashboardOperations["makeDefault"],
) => {
  const isEditor = useSession().can("dashboards.write");
  const navigate = useNavigate();
  return useMemo<DashboardOperations | undefined>(
    () =>
      isEditor
        ? {
            edit,
            remove,
            arrange: ({ dashboardId }) => void navigate({ to: "/dragging", search: { dashboardId } as never }),
            makeDefault,
          }
        : undefined,
    [isEditor, edit, remove, navigate, makeDefault],
  );
};

/** The plant's dashboards, to add, change, arrange and delete. (spec 2 §2) */
export const ConfigureDashboards = (): ReactNode => {
  const filters = useFilters(dashboardFilters);
  const pages = usePages(dashboards.list, filters.values);
  useLiveRefetch([dashboards.list], [LiveCommand.dashboardChange]);
  const editing = useEditDashboard();
  const removing = useRemoveDashboard();
  const groups = useGroupDrawer();
  const defaulting = useMakeDefault();
  const operations = useOperations(editing.edit, removing.ask, defaulting.ask);
  const columns = useMemo(() => dashboardColumns(filters.by, operations), [filters.by, operations]);
  const buttons = (
    <>
      <RefreshButton onRefresh={pages.refetch} />
      <Button variant="default" size="xs" onClick={groups.open}>
        Channel groups
      </Button>
      {operations && (
        <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={editing.add} data-shortcut="add">
          Add dashboard
        </Button>
      )}
    </>
  );
  return (
    <>
      <PageTitle aside={buttons}>CONFIGURATION-DASHBOARD</PageTitle>
      <FilterTags filters={filters} heads={dashboardHeads} />
      <DataTable
        label="Dashboards"
        columns={columns}
        rows={pages.rows}
        rowKey={rowKey}
        view={pages.view}
        footer={
          <ListEnd
            pages={pages}
            empty={filters.isActive ? "No dashboards match these filters" : "There are no dashboards"}
            onClear={filters.isActive ? filters.clear : undefined}
          />
        }
      />
      {editing.dialog}
      {removing.dialog}
      {defaulting.dialog}
      {groups.drawer}
    </>
  );
};
