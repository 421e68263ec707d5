import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { alerts } from "@telltale/contract/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { useMemo } from "react";
import type { Zone } from "../../format/zone.ts";
import { useLive } from "../../session/live.ts";
import { keyOf, useCall } from "../../session/use-call.ts";
import type { Window } from "./chart/samples.ts";
import { alertSpans } from "./chart/spans.ts";
import type { Readings } from "./use-readings.ts";

/** Most alerts of a channel that are drawn, the newest ones. */
const most = 200;

/** The alerts of a channel as stretches of its chart, kept up to date. */
export const useAlertSpans = ({ channel, shown }: Readings, range: Window, zone: Zone, deviceId: number) => {
  const queries = useQueryClient();
  const { data } = useCall(alerts.ofChannel, {
    deviceChannelId: channel.deviceChannelId,
    size: most,
    ...(shown.isLive ? {} : { createdEndTime: new Date(shown.end) }),
  });
  const refetch = useThrottledCallback((_: unknown) => {
    void queries.invalidateQueries({ queryKey: keyOf(alerts.ofChannel) }, { cancelRefetch: false });
  }, 1000);
  useLive(LiveCommand.alertChange, (change) => {
    if (change.deviceId === deviceId) refetch(change);
  });
  return useMemo(() => alertSpans(data?.data ?? [], range, range.end, zone), [data, range, zone]);
};
