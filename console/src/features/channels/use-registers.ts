import { useQueryClient } from "@tanstack/react-query";
import { LiveCommand } from "@telltale/contract/live";
import { modbus } from "@telltale/contract/modbus";
import { useLive } from "../../session/live.ts";
import { callQuery, useCall } from "../../session/use-call.ts";
import { withReading } from "./live-registers.ts";

// Another device's registers, or another channel's, must not stand in for these.
const own = { placeholderData: undefined };

/** The registers of one of the two lists that stand apart from the channels, kept up to date. */
export const useRegisterList = (call: typeof modbus.status | typeof modbus.setpoints, deviceId: number) => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(call, { deviceId });
  useLive(LiveCommand.value, (reading) => queries.setQueryData(queryKey, (old) => old && withReading(old, reading)));
  return useCall(call, { deviceId }, own);
};

/** The registers of one channel with their settings, kept up to date. */
export const useChannelDetail = (deviceId: number, channelName: string) => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(modbus.channelDetail, { deviceId, channelName });
  useLive(LiveCommand.value, (reading) =>
    queries.setQueryData(queryKey, (old) => {
      const registers = old && withReading(old.detailSettings, reading);
      return registers === old?.detailSettings ? old : old && registers && { ...old, detailSettings: registers };
    }),
  );
  return useCall(modbus.channelDetail, { deviceId, channelName }, own);
};
