import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { ArrangeDashboard } from "../../features/dashboards/arrange/arrange-dashboard.tsx";
import { AddDevice } from "../../features/devices/add/add-device.tsx";
import { useCheckDevice } from "../../features/devices/add/use-check-device.tsx";
import { ConfigureDevices } from "../../features/devices/configure/configure-devices.tsx";

/** Users, dashboards and configuration share one chunk: splitting it would also split what all lists share. */
export { ConfigureAlarms as ConfigureAlarmScreen } from "../../features/alarms/configure-alarms.tsx";
export { AuditLog as AuditScreen } from "../../features/audit/audit-log.tsx";
export { ConfigureContacts as ConfigureContactsScreen } from "../../features/contacts/configure-contacts.tsx";
export { ConfigureDashboards as ConfigureDashboardScreen } from "../../features/dashboards/configure/configure-dashboards.tsx";
export { ConfigureUsers as ConfigureUsersScreen } from "../../features/users/configure-users.tsx";
export { UserList as UsersScreen } from "../../features/users/user-list.tsx";
export { ConfigureWebhooks as ConfigureWebhooksScreen } from "../../features/webhooks/configure-webhooks.tsx";

/** The plant's devices to configure: adding, payment, and checks of third-party devices. */
export const ConfigureDevicesScreen = () => {
  const purchase = usePurchase();
  const check = useCheckDevice();
  return (
    <>
      <ConfigureDevices action={<AddDevice />} onPay={purchase.ask} onCheck={check.ask} />
      {purchase.dialog}
      {check.dialog}
    </>
  );
};

/** /dragging?dashboardId=: sorts the tiles of a dashboard. (decisions §4) */
export const DraggingScreen = ({ dashboardId }: { dashboardId: number | undefined }) => (
  <ArrangeDashboard dashboardId={dashboardId} />
);
