import { useQuery } from "@tanstack/react-query";
import { alerts } from "@telltale/contract/domains/alerts";
import type { DeviceDetail } from "@telltale/contract/domains/devices";
import { trends } from "@telltale/contract/domains/readings/trends";
import { LiveCommand } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { Suspense, useMemo, useState } from "react";
import { ruleThresholds, type Threshold } from "../../../domain/channel-settings.ts";
import type { Sample, Window } from "../../../domain/samples.ts";
import { thresholdsOver } from "../../../domain/settings-periods.ts";
import { lineKind, valueText } from "../../../domain/shown-value.ts";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useCall } from "../../../session/use-call.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { NoReadings } from "../detail/no-readings.tsx";
import { ChartSkeleton } from "../readings/readings-skeleton.tsx";
import { useMomentAlert } from "../readings/use-moment-alert.ts";
import type { Readings } from "../readings/use-readings.ts";
import { spans, type View } from "../readings/view.ts";
import { alertsInWindow } from "./alerts-in-window.ts";
import { ChartOptions } from "./chart-options.tsx";
import classes from "./chart-panel.module.css";
import { downloadShown } from "./download-shown.ts";
import { type ChartModel, type Limits, onlyReading, viewOf, type Zoom } from "./drawing/chart-model.ts";
import { alertSpans, deviceBand } from "./drawing/spans.ts";
import { duration, percent } from "./drawing/text.ts";
import { extremes, nearLimits } from "./drawing/value-scale.ts";
import { StatisticsBar } from "./statistics-bar.tsx";
import { limitsIn } from "./truth/thresholds.ts";
import { useLine } from "./use-line.ts";

/** The alerts of a channel as spans of its chart, kept up to date. */
const useAlertSpans = (
  { channel, shown }: Readings,
  { samples, range, known }: { samples: Sample[] | undefined; range: Window; known: number },
  zone: Zone,
  deviceId: number,
) => {
  const { data } = useQuery(alertsInWindow(channel.deviceChannelId, samples && range, shown.until));
  useLiveRefetch([alerts.ofChannel], [LiveCommand.alertChange], (change) => change.deviceId === deviceId);
  const spans = useMemo(() => alertSpans(data?.rows ?? [], range, known, zone), [data, range, known, zone]);
  return { spans, alertsSince: data?.since };
};

/** ECharts is larger than the rest of the screen and is loaded after it. */
const ChartCanvas = lazyWithRetry(() => import("./chart-canvas.tsx"), "ChartCanvas");

interface ChartPanelProps {
  readings: Readings;
  device: DeviceDetail;
  zone: Zone;
}

interface SilentSinceProps {
  last: number;
  known: number;
  zone: Zone;
  view: View;
  /** Of the window, milliseconds. */
  length: number;
}

/** Warns that the window ends at the last reading: a line that fills the plot looks as if the device were still reporting. */
const SilentSince = ({ last, known, zone, view: { span = "24h" }, length }: SilentSinceProps) =>
  known - last > length && (
    <p className={classes.silent}>
      No readings in the last {span === "live" ? duration(length) : spans[span].words}. Shown are those before the last
      one, of {zone.stamp(last)}.
    </p>
  );

/** The limits of the shown settings, each while it was in force, and of the custom alerts that are in force while these are. */
const useThresholds = ({ channel, period, periods }: Readings): Threshold[] => {
  const { data } = useCall(trends.channel, { channelId: channel.deviceChannelId }, { placeholderData: undefined });
  const isCurrent = period.endTime === null;
  return useMemo(() => {
    if (lineKind(channel) === "switch") return [];
    const own = thresholdsOver(periods ?? []);
    return [...own, ...(isCurrent ? ruleThresholds(data?.rules ?? [], own) : [])];
  }, [channel, periods, isCurrent, data]);
};

/** The event of the device itself that the chart was opened for, as a band. */
const useBand = ({ view }: Readings, { range, known }: { range: Window; known: number }, zone: Zone) => {
  const { alert } = useMomentAlert(view.moment);
  return useMemo(
    () => (alert?.deviceChannelId === null ? deviceBand(alert, range, known, zone) : undefined),
    [alert, range, known, zone],
  );
};

/** Whether the axis includes the limits: those near the data, until the user says. It includes all of them where all are near. */
const useLimits = (thresholds: readonly Threshold[], samples: Sample[] | undefined, range: Window) => {
  const [chosen, setChosen] = useState<boolean>();
  const isNear = useMemo(() => {
    const found = samples && extremes(samples, range);
    const values = limitsIn(thresholds, range).map(({ value }) => value);
    return found !== undefined && nearLimits(values, found).length === values.length;
  }, [thresholds, samples, range]);
  const limits: Limits = chosen === undefined ? "near" : chosen ? "all" : "none";
  return { limits, isIncluding: thresholds.length > 0 ? (chosen ?? isNear) : undefined, include: setChosen };
};

const useChartModel = ({ readings, device, zone }: ChartPanelProps) => {
  const { channel, view } = readings;
  const line = useLine(readings, device.timeZoneId);
  const { spans, alertsSince } = useAlertSpans(readings, line, zone, device.deviceId);
  const thresholds = useThresholds(readings);
  const band = useBand(readings, line, zone);
  const { samples, range, held, gaps } = line;
  const { limits, ...including } = useLimits(thresholds, samples, range);
  const { moment } = view;
  const model = useMemo(
    (): ChartModel | undefined =>
      samples && {
        name: channel.channelName,
        unit: channel.unit,
        samples,
        range,
        thresholds,
        limits,
        spans,
        alertsSince,
        mark: moment && { time: moment.at.getTime(), alarmLogId: moment.alarmLogId },
        band,
        held,
        gaps,
        kind: lineKind(channel),
        zone,
        show: (value) => valueText(channel, value),
      },
    [samples, range, thresholds, limits, spans, alertsSince, moment, band, held, gaps, channel, zone],
  );
  return { ...line, ...including, model };
};

/** '2026-11-27 06:32:00 ~ 2026-11-27 14:32:00': what of the range is in view. */
const periodOf = ({ range, zone }: ChartModel, zoom: Zoom): string => {
  const { start, end } = viewOf(range, zoom);
  return `${zone.stamp(start)} ~ ${zone.stamp(end)}`;
};

/** GRAPHIC: the readings as a line with thresholds and alerts. (spec 1 §2) */
export const ChartPanel = (props: ChartPanelProps) => {
  const { model, last, known, zoom, setZoom, count, isIncluding, include, error, retry } = useChartModel(props);
  const { readings, zone } = props;
  if (!model && error) {
    return (
      <div className={classes.message}>
        <ErrorState error={error} onRetry={retry} />
      </div>
    );
  }
  if (model && last === undefined) {
    return (
      <div className={classes.message}>
        <NoReadings readings={readings} zone={zone} />
      </div>
    );
  }
  const { latest } = readings.shown.requested;
  return (
    <>
      {latest !== undefined && last !== undefined && (
        <SilentSince {...{ last, known, zone }} view={readings.view} length={latest} />
      )}
      {model && (
        <ChartOptions
          isIncluding={isIncluding}
          onInclude={include}
          hasHeld={model.held.size > 0}
          hasGaps={model.gaps.length > 0}
          period={periodOf(model, zoom)}
          onDownload={() => downloadShown([model], model.range, zoom, zone)}
        />
      )}
      <div className={classes.chart}>
        {model ? (
          <Suspense fallback={<ChartSkeleton />}>
            <ChartCanvas model={model} zoom={zoom} onZoom={setZoom} />
            {!onlyReading(model) && (
              <p className={classes.zoom} aria-hidden="true">
                <b>{percent(zoom)}</b> <span>of {duration(model.range.end - model.range.start)}</span>
              </p>
            )}
          </Suspense>
        ) : (
          <ChartSkeleton />
        )}
      </div>
      {model && <StatisticsBar model={model} zoom={zoom} count={count} />}
    </>
  );
};
