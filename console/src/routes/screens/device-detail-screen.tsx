import type { DeviceDetail as DeviceDetailData } from "@telltale/contract/domains/devices";
import { AlertHistory } from "../../features/alerts/log/alert-history.tsx";
import { MaintenanceButton } from "../../features/alerts/silence/maintenance-button.tsx";
import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { DeviceDetail } from "../../features/devices/detail/device-detail.tsx";
import { useAddress } from "../../features/devices/trend/use-address.ts";
import { NotFound } from "../shell/failures.tsx";
import classes from "./device-detail-screen.module.css";

const maintenance = (device: DeviceDetailData) => <MaintenanceButton device={device} />;

/** One device with its channels and the alerts of the selected one. */
export const DeviceDetailScreen = () => {
  const address = useAddress();
  const { deviceId } = address;
  const purchase = usePurchase();
  if (deviceId === undefined) return <NotFound />;
  return (
    <>
      <DeviceDetail deviceId={deviceId} address={address} onPay={purchase.ask} actions={maintenance}>
        {(deviceChannelId) => (
          <section aria-labelledby="alert-history">
            <h2 id="alert-history" className={classes.head}>
              Alert history
            </h2>
            <AlertHistory deviceId={deviceId} deviceChannelId={deviceChannelId} />
          </section>
        )}
      </DeviceDetail>
      {purchase.dialog}
    </>
  );
};
