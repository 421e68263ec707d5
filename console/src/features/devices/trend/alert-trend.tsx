import { type AlertRow, AlertType } from "@telltale/contract/domains/alerts";
import type { LogGroup } from "@telltale/contract/domains/channels";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { alertName } from "../../../domain/alerts/alert-text.ts";
import type { Threshold } from "../../../domain/channel-settings.ts";
import { heldTimes } from "../../../domain/held.ts";
import { longestSilence, type Window } from "../../../domain/samples.ts";
import { intervalsAt, pacesOf, thresholdsOver } from "../../../domain/settings-periods.ts";
import { lineKind, valueText } from "../../../domain/shown-value.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useNow } from "../../../ui/use-now.ts";
import type { ChartModel, Zoom } from "../chart/drawing/chart-model.ts";
import { alertSpans } from "../chart/drawing/spans.ts";
import { gapsOf } from "../chart/truth/gaps.ts";
import { isInForce } from "../chart/truth/thresholds.ts";
import { ChartSkeleton } from "../readings/readings-skeleton.tsx";
import classes from "./alert-trend.module.css";
import { type Trend, useTrend } from "./use-trend.ts";

/** The limits of the settings with the one of the alert, which a rule may have set; that of a rate is no value of the channel. */
const thresholdsWith = (periods: readonly LogGroup[], alert: AlertRow): Threshold[] => {
  const own = thresholdsOver(periods);
  const { threshold: value } = alert;
  const high = alert.alarmType !== AlertType.low;
  const isOwn = own
    .filter((each) => isInForce(each, alert.createdTime.getTime()))
    .some((each) => each.value === value && each.high === high);
  return value === null || alert.isRate || isOwn ? own : [...own, { name: alertName(alert), value, high }];
};

/** ECharts is larger than the rest of the screen and is loaded after it. */
const ChartCanvas = lazyWithRetry(() => import("../chart/chart-canvas.tsx"), "ChartCanvas");

const whole: Zoom = { start: 0, end: 100 };

const hour = 60 * 60 * 1000;

/** How much the trend shows at each side, in hours. */
const spans = [1, 8, 24] as const;
type Hours = (typeof spans)[number];
const choices = spans.map((hours) => ({ value: hours, label: `± ${hours} h` }));

interface ChartProps {
  alert: AlertRow;
  trend: Trend;
  range: Window;
  zone: Zone;
}

const Chart = ({ alert, trend: { channel, periods, samples, isThinned }, range, zone }: ChartProps) => {
  const [zoom, setZoom] = useState(whole);
  const now = useNow(alert.createdTime.getTime());
  const model = useMemo((): ChartModel | undefined => {
    if (!channel || !samples) return undefined;
    const kind = lineKind(channel);
    const longest = longestSilence(samples, pacesOf(periods));
    const truth = {
      // Of a thinned line, the time between two points says nothing about the device.
      held: kind === "slope" && !isThinned ? heldTimes(samples, intervalsAt(periods)) : new Set<number>(),
      gaps: gapsOf(samples, { range, known: now, longest }),
    };
    return {
      name: channel.channelName,
      unit: channel.unit,
      samples,
      range,
      thresholds: kind === "switch" ? [] : thresholdsWith(periods, alert),
      limits: "near",
      spans: alertSpans([alert], range, now, zone),
      mark: { time: alert.createdTime.getTime(), alarmLogId: alert.alarmLogId },
      ...truth,
      kind,
      zone,
      show: (value) => valueText(channel, value),
    };
  }, [channel, periods, samples, isThinned, range, zone, alert, now]);
  if (!model) return <ChartSkeleton />;
  if (model.samples.length === 0) return <EmptyState>No readings in this time</EmptyState>;
  return (
    <Suspense fallback={<ChartSkeleton />}>
      <ChartCanvas model={model} zoom={zoom} onZoom={setZoom} />
    </Suspense>
  );
};

interface AlertTrendProps {
  alert: AlertRow;
  deviceChannelId: number;
  /** Zone of all times. */
  zone: Zone;
}

/** The readings of an alert's channel around the moment at which it was raised, with the limits. */
export const AlertTrend = ({ alert, deviceChannelId, zone }: AlertTrendProps): ReactNode => {
  const [hours, setHours] = useState<Hours>(1);
  const raised = alert.createdTime.getTime();
  const range = useMemo((): Window => ({ start: raised - hours * hour, end: raised + hours * hour }), [raised, hours]);
  const trend = useTrend({ deviceChannelId, channelName: alert.channelName ?? "", range, at: raised });
  const title = (
    <>
      Trend{" "}
      <small
        className={classes.span}
      >{`${hours === 1 ? "one hour" : `${hours} hours`} each side of ${zone.stamp(raised).slice(11)}`}</small>
    </>
  );
  return (
    <Panel
      title={title}
      aside={<Segments label="Time at each side" options={choices} value={hours} onChange={setHours} />}
      className={classes.trend ?? ""}
    >
      <div className={classes.chart}>
        {trend.error ? (
          <ErrorState error={trend.error} onRetry={trend.retry} />
        ) : (
          <Chart key={hours} {...{ alert, trend, range, zone }} />
        )}
      </div>
    </Panel>
  );
};
