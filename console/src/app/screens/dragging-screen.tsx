import { useSearch } from "@tanstack/react-router";
import { ArrangeDashboard } from "../../features/dashboards/arrange/arrange-dashboard.tsx";

/** /dragging?dashboardId=: the tiles of a dashboard, to be put in order. (decisions §4) */
export const DraggingScreen = () => {
  const { dashboardId } = useSearch({ strict: false }) as { dashboardId?: unknown };
  const id = Number(dashboardId);
  return <ArrangeDashboard dashboardId={Number.isInteger(id) && id > 0 ? id : undefined} />;
};
