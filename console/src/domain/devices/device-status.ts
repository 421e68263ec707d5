import { DeviceStatus, deviceStatusLabels } from "@telltale/contract/domains/devices";

/** How a device status is shown: label, shape in the glyph sprite and tone, never colour alone. */
export interface DeviceStatusLook {
  label: string;
  glyph: "diamond-solid-bang" | "disc" | "ring-dashed" | "ring-slash" | "square-dollar";
  tone: "alarm" | "normal" | "inactive" | "offline" | "due";
}

const looks: Record<DeviceStatus, Omit<DeviceStatusLook, "label">> = {
  [DeviceStatus.alert]: { glyph: "diamond-solid-bang", tone: "alarm" },
  [DeviceStatus.normal]: { glyph: "disc", tone: "normal" },
  [DeviceStatus.inactive]: { glyph: "ring-dashed", tone: "inactive" },
  [DeviceStatus.offline]: { glyph: "ring-slash", tone: "offline" },
  [DeviceStatus.paymentDue]: { glyph: "square-dollar", tone: "due" },
};

const isDeviceStatus = (status: number): status is DeviceStatus => status in looks;

/** The look of a status; an unknown status is shown as Inactive, never as Normal. */
export const deviceStatusLook = (status: number): DeviceStatusLook => {
  const known = isDeviceStatus(status) ? status : DeviceStatus.inactive;
  return { label: deviceStatusLabels[known], ...looks[known] };
};

/** The legend of all device lists. */
export const deviceMeanings = (
  [
    [DeviceStatus.alert, "at least one alert is active"],
    [DeviceStatus.normal, "reporting, all values inside limits"],
    [DeviceStatus.inactive, "added and never reported yet, or disabled"],
    [DeviceStatus.offline, "no data for longer than its offline reporting time"],
    [DeviceStatus.paymentDue, "network service has to be paid"],
  ] as const
).map(([status, meaning]) => [deviceStatusLook(status), meaning] as const);
