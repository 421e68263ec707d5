import { alerts } from "@telltale/contract/domains/alerts";
import type { DeviceDetail } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { Suspense, useMemo } from "react";
import { thresholdsOf } from "../../../domain/channel-settings.ts";
import { lineKind, valueText } from "../../../domain/shown-value.ts";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useCall } from "../../../session/use-call.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { NoReadings } from "../detail/no-readings.tsx";
import { ChartSkeleton } from "../readings/readings-skeleton.tsx";
import type { Readings } from "../readings/use-readings.ts";
import classes from "./chart-panel.module.css";
import type { ChartModel } from "./drawing/chart-model.ts";
import type { Window } from "./drawing/samples.ts";
import { alertSpans } from "./drawing/spans.ts";
import { duration, percent } from "./drawing/text.ts";
import { useLine } from "./use-line.ts";

/** Maximum number of alerts drawn per channel, the newest ones. */
const most = 200;

/** The alerts of a channel as spans of its chart, kept up to date. */
const useAlertSpans = (
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

/** ECharts is larger than the rest of the screen and is loaded after it. */
const ChartCanvas = lazyWithRetry(() => import("./chart-canvas.tsx"), "ChartCanvas");

interface ChartPanelProps {
  readings: Readings;
  device: DeviceDetail;
  zone: Zone;
}

const day = 24 * 60 * 60 * 1000;

/** Warns that the shown readings are old: a line that fills the plot looks as if the device were still reporting. */
const SilentSince = ({ last, known, zone }: { last: number; known: number; zone: Zone }) =>
  known - last > day && (
    <p className={classes.silent}>
      No readings in the last 24 hours. Shown are those before the last one, of {zone.stamp(last)}.
    </p>
  );

const useChartModel = ({ readings, device, zone }: ChartPanelProps) => {
  const { channel, period } = readings;
  const line = useLine(readings, device.timeZoneId);
  const spans = useAlertSpans(readings, line, zone, device.deviceId);
  const { samples, range } = line;
  const model = useMemo((): ChartModel | undefined => {
    const kind = lineKind(channel);
    return (
      samples && {
        name: channel.channelName,
        unit: channel.unit,
        samples,
        range,
        thresholds: kind === "switch" ? [] : thresholdsOf(period),
        spans,
        kind,
        zone,
        show: (value) => valueText(channel, value),
      }
    );
  }, [samples, range, spans, channel, period, zone]);
  return { ...line, model };
};

/** GRAPHIC: the readings as a line with thresholds and alerts. (spec 1 §2) */
export const ChartPanel = (props: ChartPanelProps) => {
  const { model, last, known, zoom, setZoom, error, retry } = useChartModel(props);
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
  const { isLive, isExplicit } = readings.shown;
  return (
    <>
      {isLive && !isExplicit && last !== undefined && <SilentSince {...{ last, known, zone }} />}
      <div className={classes.chart}>
        {model ? (
          <Suspense fallback={<ChartSkeleton />}>
            <ChartCanvas model={model} zoom={zoom} onZoom={setZoom} />
            <p className={classes.zoom} aria-hidden="true">
              <b>{percent(zoom)}</b> <span>of {duration(model.range.end - model.range.start)}</span>
            </p>
          </Suspense>
        ) : (
          <ChartSkeleton />
        )}
      </div>
    </>
  );
};
