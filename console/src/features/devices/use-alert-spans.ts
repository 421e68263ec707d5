import { alerts } from "@telltale/contract/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { useMemo } from "react";
import type { Zone } from "../../format/zone.ts";
import { useCall } from "../../session/use-call.ts";
import { useLiveRefetch } from "../../session/use-live-refetch.ts";
import type { Window } from "./chart/samples.ts";
import { alertSpans } from "./chart/spans.ts";
import type { Readings } from "./use-readings.ts";

/** Most alerts of a channel that are drawn, the newest ones. */
const most = 200;

/** The alerts of a channel as stretches of its chart, kept up to date. */
export const useAlertSpans = (
  { channel, shown }: Readings,
  { range, known }: { range: Window; known: number },
  zone: Zone,
  deviceId: number,
) => {
  const { data } = useCall(alerts.ofChannel, {
    deviceChannelId: channel.deviceChannelId,
    size: most,
    ...(shown.until ? { createdEndTime: shown.until } : {}),
  });
  useLiveRefetch([alerts.ofChannel], [LiveCommand.alertChange], (change) => change.deviceId === deviceId);
  return useMemo(() => alertSpans(data?.data ?? [], range, known, zone), [data, range, known, zone]);
};
