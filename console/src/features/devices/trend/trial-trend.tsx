import { zoneOf } from "@telltale/contract/text/wall-clock";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import type { TriedAlert } from "../../../domain/alerts/tried-alert.ts";
import { lineKind, valueText } from "../../../domain/shown-value.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import type { ChartModel, Zoom } from "../chart/drawing/chart-model.ts";
import { ChartSkeleton } from "../readings/readings-skeleton.tsx";
import { type Trend, useTrend } from "./use-trend.ts";

/** ECharts is larger than the rest of the screen and is loaded after it. */
const ChartCanvas = lazyWithRetry(() => import("../chart/chart-canvas.tsx"), "ChartCanvas");

/** Times below the chart are those of the viewer. */
const zone = zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone);

const whole: Zoom = { start: 0, end: 100 };

const modelOf = (
  { channel, samples }: Pick<Trend, "channel" | "samples">,
  tried: TriedAlert,
): ChartModel | undefined => {
  if (!channel || !samples) return undefined;
  const { range, limit } = tried;
  const kind = lineKind(channel);
  return {
    name: channel.channelName,
    unit: channel.unit,
    samples: samples.filter(([time]) => time <= range.end),
    range,
    thresholds: kind === "switch" || !limit ? [] : [limit],
    spans: tried.raised.map((span, at) => ({
      ...span,
      alarmLogId: at,
      label: `In alarm ${zone.stamp(span.start).slice(5, 16)} ~ ${zone.stamp(span.end).slice(5, 16)}`,
    })),
    caps: tried.spared,
    isLow: true,
    limits: "near",
    held: new Set(),
    gaps: [],
    kind,
    zone,
    show: (value) => valueText(channel, value),
  };
};

/** The readings on which an alert was tried, with its limit and when it would have been in alarm. */
export const TrialTrend = ({ tried }: { tried: TriedAlert }): ReactNode => {
  const { deviceChannelId, channelName, range } = tried;
  const trend = useTrend({ deviceChannelId, channelName, range, at: range.end });
  const [zoom, setZoom] = useState(whole);
  const { channel, samples } = trend;
  const model = useMemo(() => modelOf({ channel, samples }, tried), [channel, samples, tried]);
  if (trend.error) return <ErrorState error={trend.error} onRetry={trend.retry} />;
  if (!model) return <ChartSkeleton />;
  if (model.samples.length === 0) return <EmptyState>No readings in this time</EmptyState>;
  return (
    <Suspense fallback={<ChartSkeleton />}>
      <ChartCanvas model={model} zoom={zoom} onZoom={setZoom} />
    </Suspense>
  );
};
