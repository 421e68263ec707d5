import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { DeviceType, devices } from "@telltale/contract/domains/devices";
import { useState } from "react";
import { fieldClasses, validationError } from "../../../form/text-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import { useCall } from "../../../session/use-call.ts";

/** Maximum results of one search. */
const offered = 50;

/** Debounce of the search, in milliseconds. */
const pause = 250;

interface ParentFieldProps {
  field: ReturnType<CallForm["field"]>;
  label?: string;
  /** Error message of the call for a missing value. */
  missing?: string | undefined;
}

const chooseOne = "Choose the main device that this sub-device reports through";

/** The main device of a sub-device, searched by name. */
export const ParentField = ({ field, label = "Parent device", missing = chooseOne }: ParentFieldProps) => {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const [search] = useDebouncedValue(typed === chosen?.label ? "" : typed, pause);
  const { data } = useCall(devices.list, { size: offered, ...(search === "" ? {} : { deviceName: search }) });
  const found = (data?.data ?? [])
    .filter(({ deviceType }) => deviceType === DeviceType.main)
    .map(({ deviceId, deviceName, deviceSnId }) => ({
      value: String(deviceId),
      // Device names need not be unique.
      label: `${deviceName} (${deviceSnId})`,
    }));
  const options = chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      name={field.name}
      data-field={field.name}
      label={label}
      placeholder="Main device that it reports through"
      data={options}
      value={chosen?.value ?? null}
      onChange={(_, option) => {
        setChosen(option ?? null);
        field.onInput();
      }}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options: all }) => all}
      nothingFoundMessage="No main device of this name"
      error={validationError(field.error && missing)}
      classNames={fieldClasses}
    />
  );
};
