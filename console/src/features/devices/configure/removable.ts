import { DeviceStatus } from "@telltale/contract/domains/devices";
import type { ListedDevice } from "../../../domain/devices/device-columns.tsx";

type DeviceState = Pick<ListedDevice, "status" | "isDisabled">;

/** Never seen, as opposed to disabled. */
const isUnseen = ({ status, isDisabled }: DeviceState): boolean => status === DeviceStatus.inactive && !isDisabled;

/**
 * Whether a device can be disabled or enabled here. An Inactive device that was never seen has nothing to disable; one that is Inactive because it
 * is disabled keeps its switch, otherwise it could never be enabled again. (spec 2 §2)
 */
export const hasSwitch = (device: DeviceState): boolean => !isUnseen(device);

/** Whether a device can be deleted in its current state: disabled, or never seen. (spec 2 §4) */
export const isRemovable = (device: DeviceState): boolean => device.isDisabled || isUnseen(device);
