import { DeviceMessage } from "@telltale/contract/domains/device-configuration";
import { DeviceStatus, DeviceType } from "@telltale/contract/domains/devices";

/** What a deletion looks at. */
export interface RemovedDevice {
  status: number;
  isDisabled: boolean;
  subDevices: number;
}

/**
 * Why a device is not deleted; undefined when it is. Sub-devices are not deleted by the way: each holds measurements of its own, and a slip at a
 * station's row would take all of them.
 */
export const removeError = ({ status, isDisabled, subDevices }: RemovedDevice): string | undefined => {
  if (!isDisabled && status !== DeviceStatus.inactive) return DeviceMessage.disableFirst;
  return subDevices === 0 ? undefined : DeviceMessage.subDevicesFirst(subDevices);
};

/** Why a report interval (seconds) cannot be set; undefined when it can. (spec 2 §5) */
export const intervalError = (seconds: number, limit: number): string | undefined =>
  seconds < limit ? DeviceMessage.belowLimit(limit) : undefined;

/** Why a third-party device cannot be reached through this one; undefined when it can. */
export const masterError = (master: { deviceType: number }): string | undefined =>
  master.deviceType === DeviceType.main ? undefined : "Choose a main device as Master device, not a sub-device";

/** What `update` is asked to change. */
export interface AskedUpdate {
  deviceName?: string | undefined;
  offlineReport?: number | undefined;
  periodicity?: number | undefined;
}

/** Whether the specification's device restart is asked for: the report interval in force, and nothing else. See the contract. */
export const isRestart = ({ deviceName, offlineReport, periodicity }: AskedUpdate, inForce: number): boolean =>
  deviceName === undefined && offlineReport === undefined && periodicity === inForce;
