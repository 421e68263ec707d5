import { AlertHistory } from "../../features/alerts/alert-history.tsx";
import { DeviceDetail } from "../../features/devices/device-detail.tsx";
import { useAddress } from "../../features/devices/use-address.ts";
import classes from "./device-detail-screen.module.css";
import { NotFound } from "./not-found.tsx";

/** One device with its channels and the alerts of the selected one. */
export const DeviceDetailScreen = () => {
  const address = useAddress();
  const { deviceId } = address;
  if (deviceId === undefined) return <NotFound />;
  return (
    <DeviceDetail deviceId={deviceId} address={address}>
      {(deviceChannelId) => (
        <section aria-labelledby="alert-history">
          <h2 id="alert-history" className={classes.heading}>
            Alert history
          </h2>
          <AlertHistory deviceId={deviceId} deviceChannelId={deviceChannelId} />
        </section>
      )}
    </DeviceDetail>
  );
};
