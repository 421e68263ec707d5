import { DeviceList } from "../../features/devices/list/device-list.tsx";
import { DownloadButtons } from "../../features/downloads/download-buttons.tsx";

/** The plant's devices, and their data to download. */
export const DevicesScreen = () => <DeviceList actions={<DownloadButtons />} />;
