import type { LinkedAlert } from "@telltale/contract/domains/alerting/links";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { alertName, isLevel } from "../../../domain/alerts/alert-text.ts";
import { type Sample, samplesOf, type Window, withGaps } from "../../../domain/samples.ts";
import { useNow } from "../../../ui/use-now.ts";
import type { Field } from "../chart/drawing/free-place.ts";
import { roomOf } from "../chart/drawing/layout.ts";
import { gridOf, type Place, pathOf, placing } from "../chart/drawing/svg.ts";
import { timeTicks } from "../chart/drawing/ticks.ts";
import { axisValue, digitalScale, extremes, type ValueScale, valueScale } from "../chart/drawing/value-scale.ts";
import classes from "./small-trend.module.css";

const zone = zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone);
const hour = 3_600_000;

/** Of the drawing and of its plot, in its own units. */
const size = { width: 352, height: 170 };
const field = { left: 40, right: 332, top: 30, bottom: 146 };

type Alert = LinkedAlert["alert"];

/** The limit as a value of the channel; null where there is none to draw: of a contact, and of a rate. */
const limitOf = (alert: Alert): number | null => (isLevel(alert) || alert.isRate ? null : alert.threshold);

const scaleOf = (alert: Alert, samples: Sample[], range: Window): ValueScale => {
  if (isLevel(alert)) return digitalScale;
  const limit = limitOf(alert);
  return valueScale(extremes(samples, range), limit === null ? [] : [limit]);
};

const labelOf = (alert: Alert, scale: ValueScale, value: number): string =>
  isLevel(alert) ? (value > 0 ? "ON" : "OFF") : axisValue(value, scale);

/** The plot, with room for its values. */
const plotOf = (alert: Alert, scale: ValueScale): Field => {
  const figures = isLevel(alert) ? [] : [scale.min, scale.max].map((value) => labelOf(alert, scale, value));
  return { ...field, left: roomOf({ figures }, field.left) };
};

interface AxesProps {
  range: Window;
  scale: ValueScale;
  place: Place;
  plot: Field;
  alert: Alert;
}

const Axes = ({ range, scale, place, plot, alert }: AxesProps) => {
  const label = (value: number) => labelOf(alert, scale, value);
  return (
    <>
      {gridOf(scale, 4).map((value) => (
        <g key={value}>
          <path className={classes.grid} d={`M${plot.left} ${place.y(value)}H${plot.right}`} />
          <text x={plot.left - 6} y={place.y(value) + 4} textAnchor="end">
            {label(value)}
          </text>
        </g>
      ))}
      <path className={classes.axis} d={`M${plot.left} ${plot.bottom}H${plot.right}`} />
      {timeTicks(range, zone, 4).map(({ time, label: text }) => (
        <g key={time}>
          <path className={classes.axis} d={`M${place.x(time)} ${plot.bottom}v5`} />
          <text x={place.x(time)} y={plot.bottom + 19} textAnchor="middle">
            {text}
          </text>
        </g>
      ))}
    </>
  );
};

/** The alert's span with its limit. */
const Span = ({ alert, until, place, plot }: { alert: Alert; until: number; place: Place; plot: Field }) => {
  const [from, to] = [place.x(alert.createdTime.getTime()), place.x(until)];
  const limit = limitOf(alert);
  return (
    <>
      <rect
        className={classes.span}
        x={from}
        y={plot.top}
        width={Math.max(1, to - from)}
        height={plot.bottom - plot.top}
      />
      <rect className={classes.edge} x={from} y={plot.top - 3} width={Math.max(1, to - from)} height={3} />
      {limit !== null && <path className={classes.limit} d={`M${plot.left} ${place.y(limit)}H${plot.right}`} />}
    </>
  );
};

/** The trend one hour each side of an alert, as a drawing that needs no chart library: the page of a message's link opens on a phone. */
export const SmallTrend = ({ alert, line }: { alert: Alert; line: NonNullable<LinkedAlert["trend"]> }) => {
  const raised = alert.createdTime.getTime();
  const now = useNow(raised);
  const range = { start: raised - hour, end: raised + hour };
  const samples = withGaps(samplesOf(line), [{ since: 0, expected: 60_000 }]);
  const scale = scaleOf(alert, samples, range);
  const plot = plotOf(alert, scale);
  const place = placing(range, scale, plot);
  const until = Math.min(alert.modifiedTime?.getTime() ?? now, range.end);
  const clock = (time: number) => zone.stamp(time).slice(11, 16);
  const label = `${clock(raised)} ~ ${alert.modifiedTime ? clock(alert.modifiedTime.getTime()) : "now"}`;
  return (
    <figure className={classes.trend}>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`${alertName(alert)}, one hour each side of the alert`}
      >
        <Axes {...{ range, scale, place, plot, alert }} />
        <Span {...{ alert, until, place, plot }} />
        <path className={classes.line} d={pathOf(samples, place, isLevel(alert))} />
        <text className={classes.label} x={place.x(raised)} y={plot.top - 9}>
          {label}
        </text>
      </svg>
    </figure>
  );
};
