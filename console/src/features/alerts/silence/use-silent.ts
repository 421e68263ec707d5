import { silences } from "@telltale/contract/domains/alerting/silences";
import { silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { DeviceStatus } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { useRef } from "react";
import { useAlertsRefetch } from "../../../session/live/use-alerts-refetch.ts";
import { useLiveRefetch, useRecordsRefetch } from "../../../session/live/use-live-refetch.ts";
import { type AnyCall, useCall } from "../../../session/use-call.ts";
import { changedCalls } from "../confirm/changed-calls.ts";

/** What no live message tells, such as a contact that has answered, is polled at this interval, in milliseconds. */
const refetchInterval = 60_000;

/** Records of people, of which something can be silent. */
const records = ["bridge", "contact", "maintenance", "plan", "roster", "silence", "user", "webhook"] as const;

/**
 * Fetches the counts anew when somebody has silenced something, and when a device goes offline or comes back, which may be a silent master; not for every
 * alert, since hundreds of consoles would ask in a flood.
 */
const useCountsRefetch = (): void => {
  const offline = useRef(new Set<number>());
  useRecordsRefetch([silentNow.counts], records);
  useLiveRefetch([silentNow.counts], [LiveCommand.alertChange], ({ deviceId, status }) => {
    const was = offline.current.delete(deviceId);
    if (status === DeviceStatus.offline) offline.current.add(deviceId);
    return was !== (status === DeviceStatus.offline);
  });
};

/** How many things are silent; undefined until it is known. */
export const useSilentCounts = () => {
  useCountsRefetch();
  return useCall(silentNow.counts, {}, { meta: { quiet: true }, refetchInterval }).data;
};

/** Everything that is silent, kept up to date. */
export const useSilentNow = () => {
  useAlertsRefetch([silentNow.list]);
  return useCall(silentNow.list, {}, { meta: { quiet: true }, refetchInterval });
};

/** Calls that are stale after a silence has changed. */
export const silencedCalls: readonly AnyCall[] = [...changedCalls, silences.list, silentNow.list, silentNow.counts];
