import { DeviceList } from "../../features/devices/list/device-list.tsx";

/** The plant's devices. */
export const DevicesScreen = () => <DeviceList />;
