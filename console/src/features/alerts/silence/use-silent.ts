import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { type SilentNow, silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { DeviceStatus } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { useMemo, useRef } from "react";
import { useLiveRefetch, useRecordsRefetch } from "../../../session/live/use-live-refetch.ts";
import { type AnyCall, useCall } from "../../../session/use-call.ts";
import { changedCalls } from "../confirm/changed-calls.ts";

/** What no live message tells, such as a contact that has answered, is polled at this interval, in milliseconds. */
const refetchInterval = 60_000;

/** Records of people, of which something can be silent. */
const records = ["bridge", "contact", "maintenance", "plan", "roster", "silence", "user", "webhook"] as const;

/**
 * Fetches a call anew when somebody has silenced something, and when a device goes offline or comes back, which may be a silent master; not for every
 * alert, since hundreds of consoles would ask in a flood. `isShown`: whether the call tells of this device's alerts.
 */
const useSilentRefetch = (call: AnyCall, isShown: (deviceId: number) => boolean = () => false): void => {
  const offline = useRef(new Set<number>());
  useRecordsRefetch([call], records);
  useLiveRefetch([call], [LiveCommand.alertChange], ({ deviceId, status }) => {
    const was = offline.current.delete(deviceId);
    if (status === DeviceStatus.offline) offline.current.add(deviceId);
    return was !== (status === DeviceStatus.offline) || isShown(deviceId);
  });
};

/** How many things are silent; undefined until it is known. */
export const useSilentCounts = () => {
  useSilentRefetch(silentNow.counts);
  return useCall(silentNow.counts, {}, { meta: { quiet: true }, refetchInterval }).data;
};

/** The devices of whose alerts the list tells: whether that of a silenced rule stands, and which masters are silent. */
const devicesWithAlerts = (all: SilentNow | undefined): ReadonlySet<number> => {
  const ofRules = all?.silences.filter(({ kind }) => kind !== SilenceKind.maintenance) ?? [];
  const listed = [...ofRules.flatMap(({ devices }) => devices), ...(all?.masters ?? [])];
  return new Set(listed.map(({ deviceId }) => deviceId));
};

/** Everything that is silent, kept up to date. */
export const useSilentNow = () => {
  const answer = useCall(silentNow.list, {}, { meta: { quiet: true }, refetchInterval });
  const withAlerts = useMemo(() => devicesWithAlerts(answer.data), [answer.data]);
  useSilentRefetch(silentNow.list, (deviceId) => withAlerts.has(deviceId));
  // What is switched off, and for a viewer which devices its dashboard has.
  useLiveRefetch([silentNow.list], [LiveCommand.dashboardChange], ({ deviceId }) => deviceId === undefined);
  return answer;
};

/** Calls that are stale after a silence has changed. */
export const silencedCalls: readonly AnyCall[] = [...changedCalls, silences.list, silentNow.list, silentNow.counts];
