import { type ComponentProps, type ReactNode, Suspense } from "react";
import type { TriedAlert } from "../../domain/alerts/tried-alert.ts";
import { ConfigureAlarms } from "../../features/alarms/configure-alarms.tsx";
import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { ArrangeDashboard } from "../../features/dashboards/arrange/arrange-dashboard.tsx";
import { AddDevice } from "../../features/devices/add/add-device.tsx";
import { useCheckDevice } from "../../features/devices/add/use-check-device.tsx";
import { ConfigureDevices } from "../../features/devices/configure/configure-devices.tsx";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { useNavigate } from "../../ui/router/hooks.ts";

/** Users, dashboards and configuration share one chunk: splitting it would also split what all lists share. */
export { AuditLog as AuditScreen } from "../../features/audit/audit-log.tsx";
export { ConfigureBridges as ConfigureBridgesScreen } from "../../features/bridges/configure-bridges.tsx";
export { ConfigureContacts as ConfigureContactsScreen } from "../../features/contacts/configure-contacts.tsx";
export { ConfigureDashboards as ConfigureDashboardScreen } from "../../features/dashboards/configure/configure-dashboards.tsx";
export { ConfigureProvisioning as ConfigureProvisioningScreen } from "../../features/provisioning/configure-provisioning.tsx";
export { ConfigureUsers as ConfigureUsersScreen } from "../../features/users/configure-users.tsx";
export { UserList as UsersScreen } from "../../features/users/user-list.tsx";
export { ConfigureWebhooks as ConfigureWebhooksScreen } from "../../features/webhooks/configure-webhooks.tsx";

/** The chart is larger than the lists, and only a form shows it. */
const TrialTrend = lazyWithRetry(() => import("../../features/devices/trend/trial-trend.tsx"), "TrialTrend");

const trend = (tried: TriedAlert) => (
  <Suspense>
    <TrialTrend tried={tried} />
  </Suspense>
);

/** The plant's alerts, with the readings on which one is tried. */
export const ConfigureAlarmScreen = (address: Omit<ComponentProps<typeof ConfigureAlarms>, "trend">) => (
  <ConfigureAlarms {...address} trend={trend} />
);

const DevicesToConfigure = ({ add }: { add: ReactNode }) => {
  const purchase = usePurchase();
  const check = useCheckDevice();
  return (
    <>
      <ConfigureDevices action={add} onPay={purchase.ask} onCheck={check.ask} />
      {purchase.dialog}
      {check.dialog}
    </>
  );
};

/** The plant's devices to configure: adding, payment, and checks of third-party devices. */
export const ConfigureDevicesScreen = () => <DevicesToConfigure add={<AddDevice />} />;

/** The link of a label's QR code: the same list, with 'Add device' open for the label's device. */
export const AddDeviceScreen = ({ id = "" }: { id: string | undefined }) => {
  const navigate = useNavigate();
  const toList = () => void navigate({ to: "/configureDevices", replace: true });
  return <DevicesToConfigure add={<AddDevice deviceSnId={id} onClosed={toList} />} />;
};

/** /dragging?dashboardId=: sorts the tiles of a dashboard. (decisions §4) */
export const DraggingScreen = ({ dashboardId }: { dashboardId: number | undefined }) => (
  <ArrangeDashboard dashboardId={dashboardId} />
);
