import type { DeviceDetail } from "@telltale/contract/devices";
import { Suspense, useMemo } from "react";
import type { Zone } from "../../format/zone.ts";
import { lazyPart } from "../../ui/load-part.ts";
import { ErrorState } from "../../ui/message.tsx";
import type { Picture } from "./chart/picture.ts";
import { duration, percent } from "./chart/words.ts";
import classes from "./chart-panel.module.css";
import { NoReadings } from "./no-readings.tsx";
import { thresholdsOf } from "./settings.ts";
import { lineKind, valueText } from "./shown-value.ts";
import { StillGrid } from "./still-grid.tsx";
import { useAlertSpans } from "./use-alert-spans.ts";
import { useLine } from "./use-line.ts";
import type { Readings } from "./use-readings.ts";

/** ECharts is larger than the rest of the screen and comes after it. */
const ChartCanvas = lazyPart(() => import("./chart/chart-canvas.tsx"), "ChartCanvas");

interface ChartPanelProps {
  readings: Readings;
  device: DeviceDetail;
  zone: Zone;
}

const day = 24 * 60 * 60 * 1000;

/** Says that what is shown is not of today: a line that fills the plot looks as if the device still reported. */
const SilentSince = ({ last, known, zone }: { last: number; known: number; zone: Zone }) =>
  known - last > day && (
    <p className={classes.silent}>
      No readings in the last 24 hours. Shown are those before the last one, of {zone.stamp(last)}.
    </p>
  );

const usePicture = ({ readings, device, zone }: ChartPanelProps) => {
  const { channel, period } = readings;
  const line = useLine(readings, device.timeZoneId);
  const spans = useAlertSpans(readings, line, zone, device.deviceId);
  const { samples, range } = line;
  const picture = useMemo((): Picture | undefined => {
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
  return { ...line, picture };
};

/** GRAPHIC: the readings as a line with thresholds and alerts. (spec 1 §2) */
export const ChartPanel = (props: ChartPanelProps) => {
  const { picture, last, known, zoom, setZoom, error, retry } = usePicture(props);
  const { readings, zone } = props;
  if (!picture && error) {
    return (
      <div className={classes.message}>
        <ErrorState error={error} onRetry={retry} />
      </div>
    );
  }
  if (picture && last === undefined) {
    return (
      <div className={classes.message}>
        <NoReadings readings={readings} zone={zone} />
      </div>
    );
  }
  const { isLive, isAsked } = readings.shown;
  return (
    <>
      {isLive && !isAsked && last !== undefined && <SilentSince {...{ last, known, zone }} />}
      <div className={classes.chart}>
        {picture ? (
          <Suspense fallback={<StillGrid />}>
            <ChartCanvas picture={picture} zoom={zoom} onZoom={setZoom} />
            <p className={classes.zoom} aria-hidden="true">
              <b>{percent(zoom)}</b> <span>of {duration(picture.range.end - picture.range.start)}</span>
            </p>
          </Suspense>
        ) : (
          <StillGrid />
        )}
      </div>
    </>
  );
};
