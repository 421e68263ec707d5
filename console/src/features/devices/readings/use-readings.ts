import { alerts } from "@telltale/contract/domains/alerts";
import type { ChannelRow, Chart, LogGroup } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/history";
import { useMemo } from "react";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useCall } from "../../../session/use-call.ts";
import { type Range, type Shown, shownOf } from "./range.ts";
import { type LiveReading, useLiveReadings } from "./use-live-readings.ts";

/** Which readings of a channel are shown, as a line and as a list. */
export interface Readings {
  channel: ChannelRow;
  period: LogGroup;
  /** The range of the search. */
  range: Range | undefined;
  shown: Shown;
  /** The line of all that is shown, thinned; undefined until it is there. */
  overview: Chart | undefined;
  /** Why it is not there. */
  error: Error | null;
  /** What came in since the screen was opened; empty when what is shown does not reach to now. */
  live: LiveReading[];
  /** Loads everything again, up to now. */
  refresh: () => void;
  /** Chooses the settings period before; undefined when there is none within the range. */
  onEarlier: (() => void) | undefined;
}

interface Wanted {
  channel: ChannelRow;
  period: LogGroup;
  range: Range | undefined;
  timeZoneId: string;
  onEarlier: (() => void) | undefined;
}

/** The readings of a channel in a settings period, within the range of the search. */
export const useReadings = ({ channel, period, range, timeZoneId, onEarlier }: Wanted): Readings => {
  const invalidate = useInvalidate();
  const shown = useMemo(() => shownOf(period, range, Date.now()), [period, range]);
  const overview = useCall(
    history.chart,
    { logId: period.logGroupId, timeZoneId, ...shown.asked },
    // A channel that is opened again has had readings meanwhile; a window that is, has had them live, and its list stays where it is.
    { staleTime: 0, refetchOnWindowFocus: false, placeholderData: undefined },
  );
  const refresh = () => {
    live.clear();
    invalidate([history.chart, history.points, alerts.ofChannel]);
  };
  const live = useLiveReadings(channel.deviceChannelId, refresh);
  const last = shown.until?.getTime() ?? Number.POSITIVE_INFINITY;
  const fresh = useMemo(
    () => (shown.isLive ? live.readings.filter(({ time }) => time <= last) : []),
    [shown, live.readings, last],
  );
  return {
    channel,
    period,
    range,
    shown,
    overview: overview.data,
    error: overview.data ? null : overview.error,
    live: fresh,
    refresh,
    onEarlier,
  };
};
