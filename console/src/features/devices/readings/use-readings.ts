import { alerts } from "@telltale/contract/domains/alerts";
import type { ChannelRow, Chart, LogGroup } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { useMemo } from "react";
import { dayOf, type Window } from "../../../domain/samples.ts";
import { mostPeriods, periodsSince } from "../../../domain/settings-periods.ts";
import { channelThen } from "../../../domain/shown-value.ts";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useCall } from "../../../session/use-call.ts";
import { serverNow } from "../../../ui/server-time.ts";
import { type Range, type Shown, shownOf, windowUpToNow } from "./range.ts";
import { type LiveReading, useLiveReadings } from "./use-live-readings.ts";
import { isOfChannel, rangeAround, shownOfChannel, type View } from "./view.ts";

/** The shown readings of a channel, as a line and as a list. */
export interface Readings {
  /** As it was when they were taken. */
  channel: ChannelRow;
  /** The settings period that says what is shown: the selected one, or the one in force at the moment. */
  period: LogGroup;
  /** All those in which the shown readings were taken, oldest first; undefined until loaded. */
  periods: LogGroup[] | undefined;
  view: View;
  /** The searched range, or that around a moment. */
  range: Range | undefined;
  /** Whose readings: those of the period, or of the channel across its periods. */
  source: { logId: number } | { channelId: number };
  shown: Shown;
  /** The window up to now, or around a moment; undefined until loaded, and where the search or the settings period says what is shown. */
  window: Window | undefined;
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

/** How they are loaded: a channel that is reopened has new readings; a window that regains the focus has received them live, and its list must not move. */
const opening = { staleTime: 0, refetchOnWindowFocus: false, placeholderData: undefined };

/** How far before a moment readings are looked for, milliseconds. */
const farthest = 24 * 60 * 60 * 1000;

/**
 * The range that is shown: around a moment without readings, such as the one at which a device was found silent, it reaches back to the last ones
 * before.
 */
const useReach = ({ range, moment }: View, source: Readings["source"], timeZoneId: string) => {
  const ends = { startTime: range?.start, endTime: range?.end };
  const around = useCall(
    history.chart,
    { ...source, timeZoneId, ...ends },
    { ...opening, enabled: moment !== undefined },
  );
  const isEmpty = moment !== undefined && around.data?.count === 0;
  const before = useCall(
    history.points,
    {
      ...source,
      timeZoneId,
      ...(range && { startTime: new Date(range.start.getTime() - farthest), endTime: range.start }),
      size: 1,
    },
    { placeholderData: undefined, enabled: isEmpty },
  );
  const last = isEmpty ? before.data?.data[0]?.deviceTimestamp.getTime() : undefined;
  const reach = useMemo(
    () => (last && range ? { start: rangeAround(new Date(last)).start, end: range.end } : range),
    [last, range],
  );
  return { reach, isSought: isEmpty && before.isLoading };
};

/** What the field and the plot state as the window; undefined where the search or the settings period does. */
const useWindow = (
  { moment }: View,
  range: Range | undefined,
  { requested }: Shown,
  chart: Chart | undefined,
  newest?: number,
) =>
  useMemo((): Window | undefined => {
    if (moment && range) return { start: range.start.getTime(), end: range.end.getTime() };
    if (requested.latest === undefined || !chart) return undefined;
    return windowUpToNow(chart, requested.latest, newest);
  }, [moment, range, requested, chart, newest]);

/** The settings periods of the line, oldest first: most windows are within the given one. */
const useLinePeriods = ({ channel, period, view }: Wanted, { until }: Shown, overview: Chart | undefined) => {
  const { from, to } = overview ?? { from: 0, to: 0 };
  const isCovering = period.startTime.getTime() <= from && (period.endTime === null || period.endTime.getTime() > to);
  const isOne = !isOfChannel(view) || isCovering;
  const { data, error } = useCall(
    history.periods,
    {
      channelId: channel.deviceChannelId,
      // A window up to now begins later with each answer: its periods, and with them the chart, must not be awaited anew each time.
      startTime: new Date(dayOf(from)),
      ...(until ? { endTime: until } : {}),
      size: mostPeriods,
    },
    { placeholderData: undefined, enabled: overview !== undefined && !isOne },
  );
  const periods = useMemo(
    () => (isOne ? [period] : data && periodsSince(data.data, from)),
    [isOne, period, data, from],
  );
  return { periods, error };
};

/** The shown readings: those of the channel in the view's window, or those of a settings period, within the searched range. */
export const useReadings = (wanted: Wanted): Readings => {
  const { channel, period, view, timeZoneId, onEarlier } = wanted;
  const invalidate = useInvalidate();
  const ofChannel = isOfChannel(view);
  const source = ofChannel ? { channelId: channel.deviceChannelId } : { logId: period.logGroupId };
  const { reach: range, isSought } = useReach(view, source, timeZoneId);
  const shown = useMemo(
    () => (ofChannel ? shownOfChannel({ ...view, range }, period, serverNow()) : shownOf(period, range, serverNow())),
    [ofChannel, view, period, range],
  );
  const loaded = useCall(history.chart, { ...source, timeZoneId, ...shown.requested }, opening);
  const overview = isSought ? undefined : loaded.data;
  const line = useLinePeriods(wanted, shown, overview);
  const unit = overview?.unit;
  const { inputMode } = period;
  const shownChannel = useMemo(() => channelThen(channel, { unit, inputMode }), [channel, unit, inputMode]);
  const refresh = () => {
    live.clear();
    invalidate([history.chart, history.points, history.periods, alerts.ofChannel]);
  };
  const live = useLiveReadings(channel.deviceChannelId, refresh);
  const last = shown.until?.getTime() ?? Number.POSITIVE_INFINITY;
  const fresh = useMemo(
    () => (shown.isLive ? live.readings.filter(({ time }) => time <= last) : []),
    [shown, live.readings, last],
  );
  const newest = fresh.at(-1)?.time;
  const window = useWindow(view, range, shown, overview, newest);
  return {
    channel: shownChannel,
    period,
    periods: line.periods,
    view,
    range,
    source,
    shown,
    window,
    overview,
    error: overview ? (line.periods ? null : line.error) : loaded.error,
    live: fresh,
    refresh,
    onEarlier,
  };
};
