import { type DashboardGroup, type DashboardRow, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { useRemoval } from "../../../form/use-confirmed-action.tsx";
import { dashboardCalls, groupCalls } from "./changed-calls.ts";

/** Asks for confirmation before a dashboard is deleted. (spec 2 §2) */
export const useRemoveDashboard = () =>
  useRemoval({
    call: dashboards.remove,
    inputOf: ({ dashboardId }: DashboardRow) => ({ dashboardId }),
    invalidates: dashboardCalls,
    title: "Delete dashboard",
    question: ({ name }) => (
      <>
        Are you sure that you want to delete this Dashboard?
        <p>
          <b>{name}</b>. Viewers it was assigned to see the default dashboard then.
        </p>
      </>
    ),
  });

/** Asks for confirmation before a group is deleted. (spec 2 §2) */
export const useRemoveGroup = () =>
  useRemoval({
    call: dashboards.removeGroup,
    inputOf: ({ dashboardGroupId }: DashboardGroup) => ({ dashboardGroupId }),
    invalidates: groupCalls,
    title: "Delete dashboard group",
    question: ({ groupName }) => (
      <>
        Are you sure that you want to delete this Dashboard group?
        <p>
          <b>{groupName}</b>. Every dashboard that shows it loses its tile.
        </p>
      </>
    ),
  });
