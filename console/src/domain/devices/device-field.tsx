import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type DownloadDevice, downloads } from "@telltale/contract/domains/readings/downloads";
import { type ReactNode, useState } from "react";
import { fieldClasses, validationError } from "../../form/text-field.tsx";
import { useCall } from "../../session/use-call.ts";

/** Debounce of the search, in milliseconds. */
const pause = 250;

/** A selected device. */
export type ChosenDevice = Pick<DownloadDevice, "deviceId" | "deviceName" | "deviceSnId">;

// Device names need not be unique.
const labelOf = ({ deviceName, deviceSnId }: ChosenDevice): string => `${deviceName} (${deviceSnId})`;

interface DeviceFieldProps<D extends ChosenDevice> {
  label: string;
  value: D | null;
  error: string | undefined;
  onChange: (device: D | DownloadDevice | null) => void;
  /** The field of the call that it fills, focused when invalid; absent when the dialog starts with it. */
  field?: string;
}

/** A device of the plant, searched by part of its name or ID. */
export const DeviceField = <D extends ChosenDevice>(props: DeviceFieldProps<D>): ReactNode => {
  const { label, value, error, onChange, field } = props;
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(value && typed === labelOf(value) ? "" : typed.trim(), pause);
  const { data = [], isPending } = useCall(downloads.devices, search === "" ? {} : { deviceName: search });
  const offered = value && !data.some(({ deviceId }) => deviceId === value.deviceId) ? [value, ...data] : data;
  return (
    <Select
      label={label}
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
      error={validationError(error)}
      classNames={fieldClasses}
      {...(field === undefined ? { "data-autofocus": true } : { "data-field": field })}
    />
  );
};
