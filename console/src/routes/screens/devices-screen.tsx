import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { DeviceList } from "../../features/devices/list/device-list.tsx";
import { DownloadButtons } from "../../features/downloads/download-buttons.tsx";

/** The plant's devices, with data downloads and purchases of network services. */
export const DevicesScreen = () => {
  const purchase = usePurchase();
  return (
    <>
      <DeviceList actions={<DownloadButtons />} onPay={purchase.ask} />
      {purchase.dialog}
    </>
  );
};
