import { AddDevice } from "../../features/dashboards/add-device/add-device.tsx";
import { useCheckDevice } from "../../features/dashboards/add-device/use-check-device.tsx";
import { ConfigureDevices } from "../../features/devices/configure/configure-devices.tsx";
import { usePurchase } from "../../features/orders/use-purchase.tsx";

/** The plant's devices to set up: added, paid for, and third-party devices checked. */
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
