import { alerts } from "@telltale/contract/domains/alerts";
import type { ChannelRow, Chart, LogGroup } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { useMemo } from "react";
import { channelThen } from "../../../domain/shown-value.ts";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useCall } from "../../../session/use-call.ts";
import { serverNow } from "../../../ui/server-time.ts";
import { type Range, type Shown, shownOf } from "./range.ts";
import { type LiveReading, useLiveReadings } from "./use-live-readings.ts";
import { isOfChannel, shownOfChannel, type View } from "./view.ts";

/** The shown readings of a channel, as a line and as a list. */
export interface Readings {
  /** As it was when they were taken. */
  channel: ChannelRow;
  period: LogGroup;
  view: View;
  /** The searched range, or that around a moment. */
  range: Range | undefined;
  /** Whose readings: those of the period, or of the channel across its periods. */
  source: { logId: number } | { channelId: number };
  shown: Shown;
  /** The downsampled line of the whole range; undefined until loaded. */
  overview: Chart | undefined;
  /** Why loading failed. */
  error: Error | null;
  /** Readings since the screen was opened; empty when the shown range does not extend to now. */
  live: LiveReading[];
  /** Reloads everything, up to now. */
  refresh: () => void;
  /** Selects the previous settings period; undefined when there is none within the range. */
  onEarlier: (() => void) | undefined;
}

interface Wanted {
  channel: ChannelRow;
  period: LogGroup;
  view: View;
  timeZoneId: string;
  onEarlier: (() => void) | undefined;
}

/** The shown readings: those of the channel in the view's window, or those of a settings period, within the searched range. */
export const useReadings = ({ channel, period, view, timeZoneId, onEarlier }: Wanted): Readings => {
  const invalidate = useInvalidate();
  const { range } = view;
  const ofChannel = isOfChannel(view);
  const shown = useMemo(
    () => (ofChannel ? shownOfChannel(view, period, serverNow()) : shownOf(period, range, serverNow())),
    [ofChannel, view, period, range],
  );
  const source = ofChannel ? { channelId: channel.deviceChannelId } : { logId: period.logGroupId };
  const overview = useCall(
    history.chart,
    { ...source, timeZoneId, ...shown.requested },
    // A channel that is reopened has new readings, so it is refetched; a window that regains the focus has received them live, and its list must not
    // move.
    { staleTime: 0, refetchOnWindowFocus: false, placeholderData: undefined },
  );
  const unit = overview.data?.unit;
  const { inputMode } = period;
  const shownChannel = useMemo(() => channelThen(channel, { unit, inputMode }), [channel, unit, inputMode]);
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
    channel: shownChannel,
    period,
    view,
    range,
    source,
    shown,
    overview: overview.data,
    error: overview.data ? null : overview.error,
    live: fresh,
    refresh,
    onEarlier,
  };
};
