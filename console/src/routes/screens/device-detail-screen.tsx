import type { DeviceDetail as DeviceDetailData } from "@telltale/contract/domains/devices";
import { type ReactNode, Suspense, useState } from "react";
import { AlertHistory } from "../../features/alerts/log/alert-history.tsx";
import { MaintenanceButton } from "../../features/alerts/silence/maintenance-button.tsx";
import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { DeviceDetail } from "../../features/devices/detail/device-detail.tsx";
import { useAddress } from "../../features/devices/trend/use-address.ts";
import { useSession } from "../../session/session.ts";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { NotFound } from "../shell/failures.tsx";
import classes from "./device-detail-screen.module.css";

const DownloadDialog = lazyWithRetry(() => import("../../features/downloads/download-dialog.tsx"), "DownloadDialog");

const maintenance = (device: DeviceDetailData) => <MaintenanceButton device={device} />;

/** The download of a device's readings: `ask` opens the dialog, and is absent for accounts that may not download. */
const useDeviceDownload = (): { ask: ((device: DeviceDetailData) => void) | undefined; dialog: ReactNode } => {
  const { can } = useSession();
  const [device, setDevice] = useState<DeviceDetailData>();
  const [isOpen, setOpen] = useState(false);
  const ask = (asked: DeviceDetailData): void => {
    setDevice(asked);
    setOpen(true);
  };
  return {
    ask: can("downloads.read") ? ask : undefined,
    dialog: device && (
      <Suspense>
        <DownloadDialog key={device.deviceId} device={device} isOpen={isOpen} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
};

/** One device with its channels and the alerts of the selected one. */
export const DeviceDetailScreen = () => {
  const address = useAddress();
  const { deviceId } = address;
  const purchase = usePurchase();
  const download = useDeviceDownload();
  if (deviceId === undefined) return <NotFound />;
  return (
    <>
      <DeviceDetail {...{ deviceId, address }} onPay={purchase.ask} onDownload={download.ask} actions={maintenance}>
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
      {download.dialog}
    </>
  );
};
