import { channelSettings } from "@telltale/contract/channel-settings";
import { channels } from "@telltale/contract/channels";
import { LiveCommand } from "@telltale/contract/live";
import { modbus } from "@telltale/contract/modbus";
import { useLiveRefetch } from "../../session/use-live-refetch.ts";

const calls = [channels.header, channels.info, channels.outputSources, channelSettings.setup, ...Object.values(modbus)];

/** Loads a device's configuration again when its alerts, its link or its settings have changed. */
export const useConfigurationRefetch = (deviceId: number): void =>
  useLiveRefetch(
    calls,
    [LiveCommand.alertChange, LiveCommand.dashboardChange],
    (change) => change.deviceId === undefined || change.deviceId === deviceId,
  );
