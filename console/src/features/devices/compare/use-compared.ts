import { useQueries } from "@tanstack/react-query";
import { alerts } from "@telltale/contract/domains/alerts";
import type { Chart, LogGroup } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { type TrendInfo, trends } from "@telltale/contract/domains/readings/trends";
import { LiveCommand } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { useMemo } from "react";
import { inputModeOf, ruleThresholds } from "../../../domain/channel-settings.ts";
import { heldTimes } from "../../../domain/held.ts";
import {
  isThinnedLine,
  longestSilence,
  mergeParts,
  type Sample,
  samplesOf,
  type Window,
  withGaps,
} from "../../../domain/samples.ts";
import { intervalsAt, mostPeriods, pacesOf, periodsSince, thresholdsOver } from "../../../domain/settings-periods.ts";
import { channelThen, lineKind, valueText } from "../../../domain/shown-value.ts";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { callQuery } from "../../../session/use-call.ts";
import { serverNow } from "../../../ui/server-time.ts";
import { type Alerts, alertsInWindow } from "../chart/alerts-in-window.ts";
import type { ChartModel } from "../chart/drawing/chart-model.ts";
import { alertSpans } from "../chart/drawing/spans.ts";
import { gapsOf } from "../chart/truth/gaps.ts";
import { lengthOf, type View } from "../readings/view.ts";
import { useFresh } from "./use-fresh.ts";

/** A compared channel. */
export interface Compared {
  channelId: number;
  /** Place among the channels, from 0: it has its colour and pattern. */
  place: number;
  /** Undefined until loaded, and for a channel that is gone or not to be seen. */
  info: TrendInfo | undefined;
  error: Error | null;
  /** Undefined until its readings are loaded. */
  model: ChartModel | undefined;
}

interface Loaded {
  info: TrendInfo;
  chart: Chart;
  /** The settings periods of the line, oldest first. */
  periods: LogGroup[];
  fresh: readonly Sample[];
  /** Undefined until loaded. */
  log: Alerts | undefined;
}

const samplesIn = ({ chart, periods, fresh }: Loaded): Sample[] => {
  const paces = pacesOf(periods);
  return mergeParts({ overview: withGaps(samplesOf(chart), paces), live: [...fresh] }, paces);
};

const modelOf = (loaded: Loaded, samples: Sample[], range: Window, zone: Zone): ChartModel => {
  const { info, chart, periods, fresh, log } = loaded;
  const channel = channelThen(info, { unit: chart.unit, inputMode: inputModeOf(info.settings) });
  const kind = lineKind(channel);
  const own = thresholdsOver(periods);
  // Today's limits say nothing about readings in another unit.
  const rules = chart.unit === info.unit ? info.rules : [];
  const inRange = samples.filter(([time]) => time >= range.start && time <= range.end);
  // Until when the readings and alerts are known: of a day that is not over, not its end.
  const known = Math.min(range.end, Math.max(chart.to, fresh.at(-1)?.[0] ?? 0));
  return {
    name: info.channelName,
    unit: channel.unit,
    samples: inRange,
    range,
    thresholds: kind === "switch" ? [] : [...own, ...ruleThresholds(rules, own)],
    limits: "near",
    spans: alertSpans(log?.rows ?? [], range, known, zone),
    alertsSince: log?.since,
    held: isThinnedLine(chart) || kind !== "slope" ? new Set() : heldTimes(inRange, intervalsAt(periods)),
    gaps: gapsOf(inRange, { range, known, longest: longestSilence(inRange, pacesOf(periods)) }),
    kind,
    zone,
    show: (value) => valueText(channel, value),
  };
};

/** The window of the charts: what was read, up to the newest reading where it moves on. */
const windowOf = (charts: readonly Chart[], fresh: readonly Sample[], requested: Requested): Window | undefined => {
  if (requested.range) return requested.range;
  if (charts.length === 0) return undefined;
  const end = Math.max(...charts.map(({ to }) => to), ...fresh.map(([time]) => time));
  return { start: end - requested.length, end };
};

interface Requested {
  range: Window | undefined;
  length: number;
}

const requestedBy = ({ range, span }: View): Requested => ({
  range: range && { start: range.start.getTime(), end: range.end.getTime() },
  length: lengthOf(span ?? "24h", undefined),
});

/** A failure is told at its channel. */
const inPlace = { placeholderData: undefined, meta: { isShownInPlace: true } };

/** What is loaded of each channel: what it is, its line, and the settings of the line's time. */
const useLoaded = (ids: readonly number[], { range }: View, { length }: Requested) => {
  const ends = range ? { startTime: range.start, endTime: range.end } : undefined;
  const infos = useQueries({
    queries: ids.map((channelId) => ({ ...callQuery(trends.channel, { channelId }), ...inPlace })),
  });
  const charts = useQueries({
    queries: ids.map((channelId) => ({
      ...callQuery(history.chart, { channelId, ...(ends ?? { latest: length }) }),
      ...inPlace,
      staleTime: 0,
    })),
  });
  const periods = useQueries({
    queries: ids.map((channelId) => ({
      ...callQuery(history.periods, { channelId, ...ends, size: mostPeriods }),
      ...inPlace,
    })),
  });
  return ids.map((channelId, place) => {
    const [info, chart, found] = [infos[place], charts[place], periods[place]];
    return {
      channelId,
      place,
      info: info?.data,
      chart: chart?.data,
      periods: chart?.data && found?.data && periodsSince(found.data.data, chart.data.from),
      error: info?.error ?? chart?.error ?? found?.error ?? null,
    };
  });
};

/** The compared channels with their readings in one window. One that cannot be loaded does not keep the others from being shown. */
export const useCompared = (ids: readonly number[], view: View, zone: Zone): Compared[] => {
  const requested = useMemo(() => requestedBy(view), [view]);
  const loaded = useLoaded(ids, view, requested);
  const invalidate = useInvalidate();
  useLiveRefetch([alerts.ofChannel], [LiveCommand.alertChange], (change) =>
    loaded.some(({ info }) => info?.deviceId === change.deviceId),
  );
  const fresh = useFresh(ids, () => invalidate([history.chart]));
  const isOpen = !requested.range || requested.range.end >= serverNow();
  const parts = loaded.map((part) => ({ ...part, fresh: isOpen ? (fresh.get(part.channelId) ?? []) : [] }));
  const range = windowOf(
    parts.flatMap(({ chart }) => chart ?? []),
    parts.flatMap((part) => part.fresh.slice(-1)),
    requested,
  );
  const logs = useQueries({
    queries: ids.map((channelId) => ({ ...alertsInWindow(channelId, range, view.range?.end), ...inPlace })),
  });
  return parts.map(({ channelId, place, info, error, chart, periods, fresh: live }) => {
    const all = chart && info && periods && { info, chart, periods, fresh: live, log: logs[place]?.data };
    return { channelId, place, info, error, model: all && range && modelOf(all, samplesIn(all), range, zone) };
  });
};
