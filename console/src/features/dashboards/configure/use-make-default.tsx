import { type DashboardRow, DashboardStatus, dashboards } from "@telltale/contract/dashboards";
import { useAskedAction } from "../../../form/use-asked-action.tsx";
import { dashboardCalls } from "./changed-calls.ts";

/** Asks before a dashboard is made the default: it changes what others see, and the one before is not named anywhere afterwards. */
export const useMakeDefault = () =>
  useAskedAction({
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
