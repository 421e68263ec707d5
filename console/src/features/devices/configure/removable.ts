import { DeviceStatus } from "@telltale/contract/domains/devices";
import type { ListedDevice } from "../../../domain/device-columns.tsx";

type Evaluated = Pick<ListedDevice, "status" | "isDisabled">;

/** Never seen, and not because it is switched off. */
const isUnseen = ({ status, isDisabled }: Evaluated): boolean => status === DeviceStatus.inactive && !isDisabled;

/**
 * Whether a device can be switched off or on here. An Inactive device that was never seen has nothing to switch off; one that is Inactive because
 * it is disabled keeps its switch, or nobody could ever enable it again. (spec 2 §2)
 */
export const hasSwitch = (device: Evaluated): boolean => !isUnseen(device);

/** Whether a device can be deleted as it is: disabled, or never seen. (spec 2 §4) */
export const isRemovable = (device: Evaluated): boolean => device.isDisabled || isUnseen(device);
