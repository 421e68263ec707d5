import { DeviceMessage } from "@telltale/contract/domains/device-configuration";
import { DeviceStatus, DeviceType } from "@telltale/contract/domains/devices";

/** Inputs of the check for a deletion. */
export interface RemovedDevice {
  status: number;
  isDisabled: boolean;
  subDevices: number;
}

/**
 * Why a device cannot be deleted; undefined when it can. Sub-devices are not deleted along with their master: each holds measurements of its own, and
 * one slip would delete them all.
 */
export const removeError = ({ status, isDisabled, subDevices }: RemovedDevice): string | undefined => {
  if (!isDisabled && status !== DeviceStatus.inactive) return DeviceMessage.disableFirst;
  return subDevices === 0 ? undefined : DeviceMessage.subDevicesFirst(subDevices);
};

/** Why a report interval (seconds) cannot be set; undefined when it can. (spec 2 §5) */
export const intervalError = (seconds: number, limit: number): string | undefined =>
  seconds < limit ? DeviceMessage.belowLimit(limit) : undefined;

/** Why a device cannot be the master of a third-party device; undefined when it can. */
export const masterError = (master: { deviceType: number }): string | undefined =>
  master.deviceType === DeviceType.main ? undefined : "Choose a main device as Master device, not a sub-device";

/** Requested changes of `update`. */
export interface RequestedUpdate {
  deviceName?: string | undefined;
  offlineReport?: number | undefined;
  periodicity?: number | undefined;
}

/** Whether the request is the specification's device restart: the current report interval and nothing else. See the contract. */
export const isRestart = ({ deviceName, offlineReport, periodicity }: RequestedUpdate, inForce: number): boolean =>
  deviceName === undefined && offlineReport === undefined && periodicity === inForce;
