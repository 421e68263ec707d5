import { type ChannelGroup, channels } from "@telltale/contract/channels";
import { type DeviceDetail, Model } from "@telltale/contract/devices";
import { useCall } from "../../session/use-call.ts";

export interface DeviceChannels {
  groups: ChannelGroup[] | undefined;
  error: Error | null;
  retry: () => void;
}

/** The channels of a device to choose from; a third-party modbus device has one list, fetched by a call of its own. (spec 1 §2) */
export const useChannels = ({ deviceId, typeId }: DeviceDetail): DeviceChannels => {
  const isModbus = typeId === Model.motorController;
  // Another device's channels must not stand in for this one's.
  const own = { placeholderData: undefined };
  const grouped = useCall(channels.grouped, { deviceId }, { ...own, enabled: !isModbus });
  const registers = useCall(channels.ofModbusDevice, { deviceId, displayType: 1 }, { ...own, enabled: isModbus });
  const one = registers.data && [{ name: "CHANNEL", channels: registers.data }];
  return {
    groups: isModbus ? one : grouped.data,
    error: isModbus ? registers.error : grouped.error,
    retry: () => void (isModbus ? registers : grouped).refetch(),
  };
};
