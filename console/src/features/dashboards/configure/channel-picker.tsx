import { dashboards, type TileChoice } from "@telltale/contract/domains/dashboard/dashboards";
import type { ReactNode } from "react";
import { offered, PickList, useSearch } from "../../../form/pick-list.tsx";
import { useCall } from "../../../session/use-call.ts";
import { type SelectedTile, tileKey, tileOfChoice } from "./selected-tiles.ts";

interface ChannelPickerProps {
  chosen: readonly SelectedTile[];
  onToggle: (one: SelectedTile) => void;
  /** Error of the selection. */
  error: string | undefined;
}

const keyOfChoice = (row: TileChoice): string => tileKey(tileOfChoice(row));

/** The plant's channels by device, searched by either name, and motor controllers as a whole. */
export const ChannelPicker = ({ chosen, onToggle, error }: ChannelPickerProps): ReactNode => {
  const search = useSearch();
  const { data, error: failure } = useCall(dashboards.choices, {
    size: offered,
    ...(search.name !== undefined && { name: search.name }),
  });
  const keys = new Set(chosen.map(tileKey));
  return (
    <PickList
      legend="Channels"
      field="deviceChannelIds"
      kind="many"
      search={search}
      placeholder="Search by channel, device name or device ID"
      found={data && { rows: data.data, total: data.total }}
      groupOf={({ deviceId, deviceName }) => ({ key: deviceId, name: deviceName })}
      row={{
        keyOf: keyOfChoice,
        label: ({ deviceChannelId, channelName }) => (deviceChannelId === null ? "All of it in one tile" : channelName),
      }}
      isChosen={(row) => keys.has(keyOfChoice(row))}
      onToggle={(row) => onToggle(tileOfChoice(row))}
      none="No channel or device of this name"
      error={error ?? failure?.message}
    />
  );
};
