import { useConfirmAlert, useConfirmAll } from "../../features/alerts/use-confirm.tsx";
import { AlertBanner, AlertCount, ConfirmAllButton } from "../../features/dashboards/alert-banner.tsx";
import { Dashboard } from "../../features/dashboards/dashboard.tsx";
import { DeviceTable } from "../../features/dashboards/device-table.tsx";
import { PageTitle } from "../../ui/page-title.tsx";

/** The live dashboard: unconfirmed alerts, channels, devices. */
export const DashboardScreen = () => {
  const confirmAlert = useConfirmAlert();
  const confirmAll = useConfirmAll();
  return (
    <>
      <PageTitle
        aside={
          <>
            <AlertCount />
            <ConfirmAllButton onConfirmAll={confirmAll.ask} place="title" />
          </>
        }
      >
        DASHBOARD
      </PageTitle>
      <AlertBanner onConfirm={confirmAlert.ask} onConfirmAll={confirmAll.ask} />
      <Dashboard />
      <DeviceTable />
      {confirmAlert.dialog}
      {confirmAll.dialog}
    </>
  );
};
