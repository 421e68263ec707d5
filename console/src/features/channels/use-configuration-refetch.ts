import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { channelSettings } from "@telltale/contract/channel-settings";
import { channels } from "@telltale/contract/channels";
import { LiveCommand } from "@telltale/contract/live";
import { modbus } from "@telltale/contract/modbus";
import { useLive } from "../../session/live.ts";
import { keyOf } from "../../session/use-call.ts";

/** How often the page is loaded again at most, in milliseconds. */
const pause = 1000;

/** Loads a device's configuration again when its alerts, its link or its settings have changed. */
export const useConfigurationRefetch = (deviceId: number): void => {
  const queries = useQueryClient();
  const refetch = useThrottledCallback((_: unknown) => {
    for (const call of [
      channels.header,
      channels.info,
      channels.outputSources,
      channelSettings.setup,
      ...Object.values(modbus),
    ]) {
      void queries.invalidateQueries({ queryKey: keyOf(call) }, { cancelRefetch: false });
    }
  }, pause);
  useLive([LiveCommand.alertChange, LiveCommand.dashboardChange], (change) => {
    if (change.deviceId === undefined || change.deviceId === deviceId) refetch(change);
  });
};
