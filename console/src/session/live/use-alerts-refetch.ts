import { LiveCommand } from "@telltale/contract/live";
import type { AnyCall } from "../use-call.ts";
import { useLiveRefetch } from "./use-live-refetch.ts";

/** Refetches lists of alerts when one changes, and when a dashboard does: a viewer sees the alerts of the dashboard's devices. */
export const useAlertsRefetch = (calls: readonly AnyCall[], pause?: number): void =>
  useLiveRefetch(
    calls,
    [LiveCommand.alertChange, LiveCommand.dashboardChange],
    ({ cmd, deviceId }) => cmd === LiveCommand.alertChange || deviceId === undefined,
    pause,
  );
