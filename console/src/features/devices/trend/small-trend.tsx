import type { LinkedAlert } from "@telltale/contract/domains/alerting/links";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { alertName, isLevel } from "../../../domain/alerts/alert-text.ts";
import { heldTimes, intervalsIn, pacesAt, standing, withHeld } from "../../../domain/held.ts";
import {
  isThinnedLine,
  longestSilence,
  type Sample,
  samplesOf,
  type Window,
  withGaps,
} from "../../../domain/samples.ts";
import { useNow } from "../../../ui/use-now.ts";
import type { Field } from "../chart/drawing/free-place.ts";
import { roomOf, roomOfPoint } from "../chart/drawing/layout.ts";
import { gridOf, type Place, pathOf, placing } from "../chart/drawing/svg.ts";
import { gapsText } from "../chart/drawing/text.ts";
import { timeTicks } from "../chart/drawing/ticks.ts";
import { axisValue, digitalScale, extremes, type ValueScale, valueScale } from "../chart/drawing/value-scale.ts";
import { gapsOf } from "../chart/truth/gaps.ts";
import classes from "./small-trend.module.css";

const zone = zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone);
const hour = 3_600_000;

/** Of the drawing and of its plot, in its own units. */
const size = { width: 352, height: 170 };
const field = { left: 40, right: 332, top: 30, bottom: 146 };

type Alert = LinkedAlert["alert"];
type Trend = NonNullable<LinkedAlert["trend"]>;

/** The readings of a trend with what the time between them says, as in the other charts. */
interface Line {
  samples: Sample[];
  /** Times of the readings whose value holds until the next one. */
  held: ReadonlySet<number>;
  /** Windows without data. */
  gaps: Window[];
  isStepped: boolean;
}

const lineOf = (trend: Trend): Line => {
  const { isStepped, reporting, from, to } = trend;
  const paces = pacesAt(reporting);
  const samples = withGaps(samplesOf(trend), paces);
  // Of a thinned line, the time between two points says nothing about the device.
  const isExact = !isStepped && !isThinnedLine(trend);
  return {
    samples,
    held: isExact ? heldTimes(samples, intervalsIn(reporting)) : new Set(),
    gaps: gapsOf(samples, { range: { start: from, end: to }, known: to, longest: longestSilence(samples, paces) }),
    isStepped,
  };
};

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

interface LineProps {
  line: Line;
  place: Place;
  plot: Field;
}

/** Where the device sent nothing. */
const Gaps = ({ line, place, plot }: LineProps) => (
  <>
    <defs>
      <pattern id="no-data" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path className={classes.hatch} d="M0 0V6" />
      </pattern>
    </defs>
    {line.gaps.map(({ start, end }) => (
      <rect
        key={start}
        x={place.x(start)}
        y={plot.top}
        width={place.x(end) - place.x(start)}
        height={plot.bottom - plot.top}
        fill="url(#no-data)"
      />
    ))}
  </>
);

/** The line, with dots at the readings that no line shows, and at those whose value is held. */
const Readings = ({ line, place, plot, range }: LineProps & { range: Window }) => {
  const { samples, held, isStepped } = line;
  const perUnit = (range.end - range.start) / (plot.right - plot.left);
  return (
    <g className={classes.line}>
      <path d={pathOf(withHeld(samples, held), place, isStepped)} />
      {standing(line, roomOfPoint * perUnit).map(
        ([time, value]) =>
          value !== null && (
            <circle
              key={time}
              data-hollow={held.has(time) || undefined}
              cx={place.x(time)}
              cy={place.y(value)}
              r={3.5}
            />
          ),
      )}
    </g>
  );
};

/** The trend one hour each side of an alert, as a drawing that needs no chart library: the page of a message's link opens on a phone. */
export const SmallTrend = ({ alert, trend }: { alert: Alert; trend: Trend }) => {
  const raised = alert.createdTime.getTime();
  const now = useNow(raised);
  const range = { start: raised - hour, end: raised + hour };
  const line = lineOf(trend);
  const scale = scaleOf(alert, line.samples, range);
  const plot = plotOf(alert, scale);
  const place = placing(range, scale, plot);
  const until = Math.min(alert.modifiedTime?.getTime() ?? now, range.end);
  const clock = (time: number) => zone.stamp(time).slice(11, 16);
  const label = `${clock(raised)} ~ ${alert.modifiedTime ? clock(alert.modifiedTime.getTime()) : "now"}`;
  const words = [`${alertName(alert)}, one hour each side of the alert.`, gapsText({ zone, gaps: line.gaps }, range)];
  return (
    <figure className={classes.trend}>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={words.filter(Boolean).join(" ")}>
        <Gaps {...{ line, place, plot }} />
        <Axes {...{ range, scale, place, plot, alert }} />
        <Span {...{ alert, until, place, plot }} />
        <Readings {...{ line, place, plot, range }} />
        <text className={classes.label} x={place.x(raised)} y={plot.top - 9}>
          {label}
        </text>
      </svg>
    </figure>
  );
};
