import { AlertBanner, AlertCount, ConfirmAllButton } from "../../features/dashboards/alert-banner.tsx";
import { Dashboard } from "../../features/dashboards/dashboard.tsx";
import { DeviceTable } from "../../features/dashboards/device-table.tsx";
import { PageTitle } from "../../ui/page-title.tsx";

/** The live dashboard. */
export const DashboardScreen = () => (
  <>
    <PageTitle
      aside={
        <>
          <AlertCount />
          <ConfirmAllButton onConfirmAll={() => undefined} place="title" />
        </>
      }
    >
      DASHBOARD
    </PageTitle>
    <AlertBanner onConfirm={() => undefined} onConfirmAll={() => undefined} />
    <Dashboard />
    <DeviceTable />
  </>
);
