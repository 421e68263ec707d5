import { MultiSelect, Switch } from "@mantine/core";
import type { BridgeRow } from "@telltale/contract/domains/readings/bridges";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { useState } from "react";
import { fieldClasses, validationError } from "../../form/text-field.tsx";
import { useCall } from "../../session/use-call.ts";
import { maskedId } from "../../ui/format/masked-id.ts";
import classes from "./bridges.module.css";

interface Option {
  value: string;
  label: string;
}

/** The devices whose name or ID has this text, and those that were chosen before, whatever the text. */
const useDeviceOptions = (search: string, chosen: readonly string[]): Option[] => {
  const { data = [] } = useCall(downloads.devices, search.trim() === "" ? {} : { deviceName: search.trim() });
  const [seen, setSeen] = useState<ReadonlyMap<string, Option>>(new Map());
  const found = data.map(({ deviceId, deviceName, deviceSnId }) => ({
    value: String(deviceId),
    label: `${deviceName} (${maskedId(deviceSnId)})`,
  }));
  const fresh = found.filter(({ value }) => !seen.has(value));
  if (fresh.length > 0) setSeen(new Map([...seen, ...fresh.map((option) => [option.value, option] as const)]));
  const others = chosen.filter((value) => !found.some((option) => option.value === value));
  return [...found, ...others.map((value) => seen.get(value) ?? { value, label: `Device ${value}` })];
};

interface DevicesFieldProps {
  bridge: BridgeRow | undefined;
  error: string | undefined;
}

/** Whether a bridge publishes all devices, also those to come, or which ones. Hidden fields hold the choice for the form. */
export const DevicesField = ({ bridge, error }: DevicesFieldProps) => {
  const [isAll, setAll] = useState(bridge?.allDevices ?? true);
  const [chosen, setChosen] = useState((bridge?.deviceIds ?? []).map(String));
  const [search, setSearch] = useState("");
  const options = useDeviceOptions(search, chosen);
  return (
    <>
      <input type="hidden" name="allDevices" value={isAll ? "1" : "0"} />
      <input type="hidden" name="deviceIds" value={isAll ? "" : chosen.join(",")} />
      <Switch
        label="All devices of the plant"
        description={isAll ? "Also those that are added later" : "Only the devices below"}
        checked={isAll}
        onChange={({ currentTarget }) => setAll(currentTarget.checked)}
      />
      {!isAll && (
        <MultiSelect
          data-field="deviceIds"
          label="Devices"
          description="A sub-device is chosen apart from its master"
          data={options}
          value={chosen}
          onChange={setChosen}
          searchValue={search}
          onSearchChange={setSearch}
          error={validationError(error)}
          classNames={{ root: classes.devices, label: fieldClasses.label ?? "" }}
          searchable
          nothingFoundMessage="No device has that name or ID"
        />
      )}
    </>
  );
};
