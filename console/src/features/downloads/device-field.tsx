import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type DownloadDevice, downloads } from "@telltale/contract/downloads";
import { type ReactNode, useState } from "react";
import { complaint, fieldClasses } from "../../form/text-field.tsx";
import { useCall } from "../../session/use-call.ts";

/** Waits for a pause in typing before it searches, in milliseconds. */
const pause = 250;

// Names may be given twice.
const labelOf = ({ deviceName, deviceSnId }: DownloadDevice): string => `${deviceName} (${deviceSnId})`;

interface DeviceFieldProps {
  value: DownloadDevice | null;
  error: string | undefined;
  onChange: (device: DownloadDevice | null) => void;
}

/** DEVICE: found by a part of its name or ID. */
export const DeviceField = ({ value, error, onChange }: DeviceFieldProps): ReactNode => {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(value && typed === labelOf(value) ? "" : typed.trim(), pause);
  const { data = [], isPending } = useCall(downloads.devices, search === "" ? {} : { deviceName: search });
  const offered = value && !data.some(({ deviceId }) => deviceId === value.deviceId) ? [value, ...data] : data;
  return (
    <Select
      label="DEVICE"
      placeholder="Name or device ID"
      data={offered.map((device) => ({ value: String(device.deviceId), label: labelOf(device) }))}
      value={value && String(value.deviceId)}
      onChange={(id) => onChange(offered.find(({ deviceId }) => String(deviceId) === id) ?? null)}
      searchable
      openOnFocus={false}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={isPending ? "Loading" : "No device of this name or ID"}
      error={complaint(error)}
      classNames={fieldClasses}
      comboboxProps={{ zIndex: 300 }}
      data-autofocus
    />
  );
};
