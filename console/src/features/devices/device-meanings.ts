import { DeviceStatus } from "@telltale/contract/devices";
import { deviceStatusLook } from "../../format/device-status.ts";

/** The legend of every list of devices. */
export const deviceMeanings = (
  [
    [DeviceStatus.alert, "at least one alert is active"],
    [DeviceStatus.normal, "reporting, all values inside limits"],
    [DeviceStatus.inactive, "added and never reported yet, or disabled"],
    [DeviceStatus.offline, "silent longer than its offline reporting time"],
    [DeviceStatus.paymentDue, "network service has to be paid"],
  ] as const
).map(([status, meaning]) => [deviceStatusLook(status), meaning] as const);
