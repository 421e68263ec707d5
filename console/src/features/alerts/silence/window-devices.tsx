import { downloads } from "@telltale/contract/domains/readings/downloads";
import { type ReactNode, useState } from "react";
import type { ChosenDevice } from "../../../domain/devices/device-field.tsx";
import { PickList, useSearch } from "../../../form/pick-list.tsx";
import { useCall } from "../../../session/use-call.ts";
import { maskedId } from "../../../ui/format/masked-id.ts";

const rows = {
  keyOf: ({ deviceId }: ChosenDevice) => String(deviceId),
  label: ({ deviceName, deviceSnId }: ChosenDevice) => `${deviceName} (${maskedId(deviceSnId)})`,
};

interface WindowDevicesProps {
  chosen: ChosenDevice[];
  error: string | undefined;
  onChange: (devices: ChosenDevice[]) => void;
}

/** The devices of a window; those that were chosen at first lead the list, and rows do not move on selection. */
export const WindowDevices = ({ chosen, error, onChange }: WindowDevicesProps): ReactNode => {
  const search = useSearch();
  const { data } = useCall(downloads.devices, search.name === undefined ? {} : { deviceName: search.name });
  const [first] = useState(chosen);
  const has = (list: readonly ChosenDevice[], { deviceId }: ChosenDevice) =>
    list.some((each) => each.deviceId === deviceId);
  const found = data && [
    ...(search.name === undefined ? first : []),
    ...data.filter((device) => search.name !== undefined || !has(first, device)),
  ];
  return (
    <PickList<ChosenDevice>
      legend={
        <>
          Devices <small>{`${chosen.length} chosen`}</small>
        </>
      }
      field="deviceIds"
      search={search}
      placeholder="Search by name or device ID"
      found={found && { rows: found, total: found.length }}
      kind="many"
      groupOf={() => ({ key: "all", name: "Devices of the plant" })}
      row={rows}
      isChosen={(device) => has(chosen, device)}
      onToggle={(device) =>
        onChange(
          has(chosen, device) ? chosen.filter(({ deviceId }) => deviceId !== device.deviceId) : [...chosen, device],
        )
      }
      none="No device of this name or ID"
      error={error}
    />
  );
};
