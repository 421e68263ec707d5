import { type DashboardRow, DashboardStatus, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useConfirmedAction } from "../../../form/use-confirmed-action.tsx";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useSession } from "../../../session/session.ts";
import { useFilters } from "../../../table/filters/use-filters.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { Button } from "../../../ui/control/button.tsx";
import { AddButton } from "../../../ui/page/add-button.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { RefreshButton } from "../../../ui/refresh-button.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { dashboardCalls } from "./changed-calls.ts";
import { type DashboardOperations, dashboardColumns } from "./dashboard-columns.tsx";
import { dashboardFilters } from "./dashboard-filters.ts";
import { useEditDashboard } from "./use-edit-dashboard.tsx";
import { useGroupDrawer } from "./use-group-drawer.tsx";
import { useRemoveDashboard } from "./use-remove.tsx";

/** Asks for confirmation before a dashboard becomes the default: other users see the change, and the previous default is not recorded anywhere. */
const useMakeDefault = () =>
  useConfirmedAction({
    call: dashboards.setStatus,
    inputOf: ({ dashboardId }: DashboardRow) => ({ dashboardId, status: DashboardStatus.standard }),
    invalidates: dashboardCalls,
    success: "Modify successful",
    title: () => "Default dashboard",
    action: () => "Make default",
    question: ({ name }) => (
      <>
        Are you sure that you want to make this dashboard the default?
        <p>
          <b>{name}</b>. All users without a dashboard of their own see it from now on, in place of the present default.
        </p>
      </>
    ),
  });

const rowKey = (dashboard: DashboardRow) => dashboard.dashboardId;

/** Row operations for accounts that may configure dashboards. */
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
            arrange: ({ dashboardId }) => void navigate({ to: "/dragging", search: { dashboardId } }),
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
  useLiveRefetch([dashboards.list, dashboards.groups], [LiveCommand.dashboardChange]);
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
      {operations && <AddButton label="Add dashboard" onClick={editing.add} />}
    </>
  );
  return (
    <>
      <PageTitle aside={buttons}>CONFIGURATION-DASHBOARD</PageTitle>
      <ListScreen
        label="Dashboards"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={rowKey}
        empty="There are no dashboards"
      />
      {editing.dialog}
      {removing.dialog}
      {defaulting.dialog}
      {groups.drawer}
    </>
  );
};
