import { Model } from "@telltale/contract/domains/devices";
import { type DeviceLink, detailLink } from "./device-links.tsx";

/** Link target in the device list: the read-only configuration of a motor controller; the detail screen of any other device. (spec 1 §2) */
export const linkFromList = (device: { deviceId: number; typeId: number }): DeviceLink => {
  const { deviceId, typeId } = device;
  if (typeId !== Model.motorController) return detailLink(device);
  return { to: "/configureDevicesAdd", search: { deviceId, typeId, edit: "no" } };
};

/** Link target in the configuration list: a device's channel settings, read-only for a motor controller. (spec 2 §2) */
export const linkFromConfiguration = ({ deviceId, typeId }: { deviceId: number; typeId: number }): DeviceLink => ({
  to: "/configureDevicesAdd",
  search: { deviceId, typeId, ...(typeId === Model.motorController && { edit: "no" }) },
});
