import type { CSSProperties } from "react";
import type { GlyphName } from "../ui/status/glyph.tsx";
import { StatusLabel, type StatusTone } from "../ui/status/status-label.tsx";
import classes from "./alert-lifecycle.module.css";

/** Example data: discharge pressure in bar over 76 minutes, with a higher alarm at 8 bar. */
const pressures = [
  7.15, 7.14, 7.15, 7.18, 7.22, 7.16, 7.09, 7.06, 7.05, 7.01, 6.97, 7.06, 7.03, 6.96, 7.02, 6.97, 6.99, 7.23, 7.42,
  7.59, 7.69, 7.8, 7.93, 8.09, 8.26, 8.4, 8.45, 8.59, 8.59, 8.72, 8.69, 8.67, 8.79, 8.77, 8.82, 8.85, 8.84, 8.86, 8.82,
  8.81, 8.81, 8.8, 8.8, 8.82, 8.87, 8.79, 8.78, 8.79, 8.83, 8.76, 8.66, 8.56, 8.53, 8.44, 8.44, 8.47, 8.44, 8.34, 8.23,
  8.1, 8.1, 8.01, 7.88, 7.72, 7.56, 7.54, 7.39, 7.31, 7.15, 6.97, 6.83, 6.67, 6.51, 6.43, 6.54, 6.58, 6.59,
];
const threshold = 8;
/** Minutes from the start of the example. */
const moments = { triggered: 23, confirmed: 32, cleared: 61 };
const ticks: readonly [minute: number, label: string][] = [
  [14, "16:00"],
  [29, "16:15"],
  [44, "16:30"],
  [59, "16:45"],
  [74, "17:00"],
];

const last = pressures.length - 1;
const [lowest, highest] = [6, 9.6];
const x = (minute: number) => (minute / last) * 100;
const y = (bar: number) => ((highest - bar) / (highest - lowest)) * 100;
const line = `M${pressures.map((bar, minute) => `${x(minute).toFixed(2)} ${y(bar).toFixed(2)}`).join("L")}`;
const at = (left: number, top?: number): CSSProperties => ({
  left: `${left}%`,
  ...(top === undefined ? {} : { top: `${top}%` }),
});

const pins: readonly [moment: keyof typeof moments, tone: StatusTone, glyph: GlyphName, label: string][] = [
  ["triggered", "triggered", "diamond-solid-bang", "Triggered"],
  ["confirmed", "confirmed", "diamond-open-bang", "Confirmed"],
  ["cleared", "cleared", "tick", "Cleared"],
];

const Lines = () => (
  <svg viewBox="0 0 100 100" preserveAspectRatio="none" className={classes.lines} aria-hidden="true">
    <rect
      className={classes.open}
      x={x(moments.triggered)}
      width={x(moments.confirmed) - x(moments.triggered)}
      height="100"
    />
    <rect
      className={classes.seen}
      x={x(moments.confirmed)}
      width={x(moments.cleared) - x(moments.confirmed)}
      height="100"
    />
    {[7, 8, 9].map((bar) => (
      <path key={bar} className={classes.grid} d={`M0 ${y(bar)}H100`} />
    ))}
    <path className={classes.threshold} d={`M0 ${y(threshold)}H100`} />
    <path className={classes.value} d={line} />
    <clipPath id="above-threshold">
      <rect width="100" height={y(threshold)} />
    </clipPath>
    <path className={classes.above} d={line} clipPath="url(#above-threshold)" />
    {(["triggered", "confirmed", "cleared"] as const).map((moment) => (
      <path
        key={moment}
        className={moment === "cleared" ? classes.cleared : classes.moment}
        d={`M${x(moments[moment])} 0V100`}
      />
    ))}
  </svg>
);

/** One alert from triggered to cleared, drawn over the values that caused it. */
export const AlertLifecycle = () => (
  <div
    className={classes.chart}
    role="img"
    aria-label="Example: a pressure rises above 8 bar at 16:09 and triggers an alert, which is confirmed at 16:18 and cleared at 16:47 when the pressure has fallen."
  >
    <Lines />
    {pins.map(([moment, tone, glyph, label]) => (
      <span key={moment} className={classes.pin} data-moment={moment} style={at(x(moments[moment]))}>
        <StatusLabel tone={tone} glyph={glyph} label={label} />
      </span>
    ))}
    {[7, 8, 9].map((bar) => (
      <span key={bar} className={classes.bar} style={{ top: `${y(bar)}%` }}>
        {bar}
      </span>
    ))}
    {ticks.map(([minute, label]) => (
      <span key={label} className={classes.tick} style={at(x(minute))}>
        {label}
      </span>
    ))}
    <span className={classes.limit} style={{ top: `${y(threshold)}%` }}>
      Higher Alarm 8.00 bar
    </span>
  </div>
);
