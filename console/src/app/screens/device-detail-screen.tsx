import { DeviceDetail } from "../../features/devices/device-detail.tsx";
import { useAddress } from "../../features/devices/use-address.ts";
import { NotFound } from "./not-found.tsx";

/** One device with its channels and their alerts. */
export const DeviceDetailScreen = () => {
  const address = useAddress();
  if (address.deviceId === undefined) return <NotFound />;
  return <DeviceDetail address={address}>{() => null}</DeviceDetail>;
};
