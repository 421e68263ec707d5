import { sparklineSpan } from "@telltale/contract/domains/dashboard/tiles";
import type { LineKind } from "../../../../domain/shown-value.ts";
import { gapsOf, heldIn, normalField, type Scale, scaleOf, type Trace } from "./trace.ts";

const names = {
  band: "--spark-band",
  edge: "--spark-edge",
  line: "--chart-line",
  quiet: "--text-3",
  on: "--chart-zoom",
  alarm: "--chart-threshold",
  alarmOn: "--chart-span",
  gap: "--gap-hatch",
} as const;
export type Colours = Record<keyof typeof names, string>;

/** The theme's colours: a canvas cannot use CSS custom properties. */
export const coloursOf = (element: Element): Colours => {
  const style = getComputedStyle(element);
  const colour = (key: keyof typeof names) => style.getPropertyValue(names[key]).trim();
  return {
    ...{ band: colour("band"), edge: colour("edge"), line: colour("line"), quiet: colour("quiet") },
    ...{ on: colour("on"), alarm: colour("alarm"), alarmOn: colour("alarmOn"), gap: colour("gap") },
  };
};

/** How a trace is drawn. */
export interface Look {
  kind: LineKind;
  /** In grey, because its newest reading is old, or the connection lost. */
  isQuiet: boolean;
  /** Nothing is known of the time after the newest reading. */
  isLost: boolean;
  /** The channel is beyond a limit. */
  isAlarm: boolean;
}

/** Where a trace is drawn, in CSS pixels. */
interface Plot {
  pen: CanvasRenderingContext2D;
  width: number;
  height: number;
  x: (time: number) => number;
  y: (value: number) => number;
  now: number;
  /** Where the newest value ends: now, as long as silence is usual; else at its reading. */
  end: number;
  colours: Colours;
}

/** Room above and below the line, and on its right for the dot. */
const inset = { top: 5, bottom: 4, right: 5 };

const hatch = ({ pen, height, x, colours }: Plot, gaps: readonly [number, number][]): void => {
  pen.strokeStyle = colours.gap;
  pen.lineWidth = 1;
  for (const [start, end] of gaps) {
    const [left, right] = [x(start), x(end)];
    pen.save();
    pen.beginPath();
    pen.rect(left, 0, right - left, height);
    pen.clip();
    pen.beginPath();
    // From a fixed origin, so that neighbouring hatches and those of the next drawing meet.
    for (let at = Math.floor((left - height) / 6) * 6; at < right; at += 6) {
      pen.moveTo(at, height);
      pen.lineTo(at + height, 0);
    }
    pen.stroke();
    pen.restore();
  }
};

const dashed = ({ pen, width, y }: Plot, value: number, colour: string): void => {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.setLineDash([4, 3]);
  pen.beginPath();
  const at = Math.round(y(value)) + 0.5;
  pen.moveTo(0, at);
  pen.lineTo(width, at);
  pen.stroke();
  pen.setLineDash([]);
};

/** Whether the newest value is beyond a limit, or stands in alarm after it was. */
const isBeyond = (
  { values }: Pick<Trace, "values">,
  { isAlarm }: Look,
  limit: number | null,
  sign: 1 | -1,
): boolean => {
  if (limit === null) return false;
  const is = (value: number) => (value - limit) * sign >= 0;
  return is(values.at(-1) ?? Number.NaN) || (isAlarm && values.some(is));
};

const band = (plot: Plot, trace: Trace, scale: Scale, look: Look): void => {
  const { pen, width, height, y, colours } = plot;
  if (trace.low === null && trace.high === null) return;
  const [top, bottom] = normalField(trace, y, height);
  pen.fillStyle = colours.band;
  pen.fillRect(0, top, width, bottom - top);
  for (const [limit, sign] of [[scale.low, -1] as const, [scale.high, 1] as const])
    if (limit !== null) dashed(plot, limit, isBeyond(trace, look, limit, sign) ? colours.alarm : colours.edge);
};

/** The line from point to point, in parts between the gaps; after those at which it `isFlat` it is flat up to the next point. */
const pathOf = ({ x, y, end }: Plot, { times, values, longest }: Trace, isFlat: (time: number) => boolean): Path2D => {
  const path = new Path2D();
  times.forEach((time, at) => {
    const [px, py] = [x(time), y(values[at] ?? 0)];
    const before = times[at - 1];
    if (before === undefined || time - before > longest(before, time)) path.moveTo(px, py);
    else if (isFlat(before)) path.lineTo(px, y(values[at - 1] ?? 0));
    path.lineTo(px, py);
  });
  if (values.length > 0) path.lineTo(x(end), y(values.at(-1) ?? 0));
  return path;
};

const stroke = ({ pen }: Plot, path: Path2D, colour: string, width: number): void => {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke(path);
};

/** Draws again, in red, what is within these edges. */
const redWithin = (plot: Plot, path: Path2D, [left, top, right, bottom]: readonly number[]): void => {
  plot.pen.save();
  plot.pen.beginPath();
  plot.pen.rect(left ?? 0, top ?? 0, (right ?? 0) - (left ?? 0), (bottom ?? 0) - (top ?? 0));
  plot.pen.clip();
  stroke(plot, path, plot.colours.alarm, 2.2);
  plot.pen.restore();
};

/** Where the state began that stands. */
const lastChange = (values: readonly number[]): number =>
  values.findLastIndex((value, at) => value !== (values[at + 1] ?? value)) + 1;

/** A switch's times of ON, filled; the one that stands is red in alarm. */
const lit = (plot: Plot, { times, values, longest }: Trace, isAlarm: boolean): void => {
  const { pen, x, y, end, colours } = plot;
  const floor = y(0);
  const change = lastChange(values);
  times.forEach((time, at) => {
    if ((values[at] ?? 0) <= 0) return;
    const next = times[at + 1] ?? end;
    if (next - time > longest(time, next)) return;
    pen.fillStyle = isAlarm && at >= change ? colours.alarmOn : colours.on;
    pen.fillRect(x(time), y(1), x(next) - x(time), floor - y(1));
  });
};

const dot = ({ pen, x, y, end }: Plot, { values }: Trace, colour: string): void => {
  if (values.length === 0) return;
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x(end), y(values.at(-1) ?? 0), 2.4, 0, 2 * Math.PI);
  pen.fill();
};

const drawSwitch = (plot: Plot, trace: Trace, { isAlarm }: Look, colour: string): void => {
  const states: Trace = { ...trace, values: trace.values.map((value) => (value > 0 ? 1 : 0)) };
  lit(plot, states, isAlarm);
  const path = pathOf(plot, states, () => true);
  stroke(plot, path, colour, 1.5);
  if (isAlarm) {
    const changed = states.times[lastChange(states.values)] ?? plot.now;
    redWithin(plot, path, [plot.x(changed) - 1, 0, plot.width, plot.height]);
  }
  dot(plot, states, isAlarm ? plot.colours.alarm : colour);
};

const drawLine = (plot: Plot, trace: Trace, look: Look, colour: string): void => {
  const held = heldIn(trace);
  const path = pathOf(plot, trace, (time) => look.kind === "steps" || held.has(time));
  stroke(plot, path, colour, 1.5);
  const [top, bottom] = normalField(trace, plot.y, plot.height);
  redWithin(plot, path, [0, 0, plot.width, top]);
  redWithin(plot, path, [0, bottom, plot.width, plot.height]);
  const newest = { values: trace.values.slice(-1) };
  const isRed = isBeyond(newest, look, trace.high, 1) || isBeyond(newest, look, trace.low, -1);
  dot(plot, trace, isRed ? plot.colours.alarm : colour);
};

interface Size {
  width: number;
  height: number;
  /** Device pixels of a CSS pixel. */
  density: number;
}

/** Draws the last hour up to `now`: limit band, gaps, line, newest reading. */
export const paint = (
  canvas: HTMLCanvasElement,
  trace: Trace,
  look: Look,
  { size: { width, height, density }, now, colours }: { size: Size; now: number; colours: Colours },
): void => {
  const pen = canvas.getContext("2d");
  if (!pen || width === 0) return;
  const [w, h] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.lineJoin = "round";
  const from = now - sparklineSpan;
  const isSwitch = look.kind === "switch";
  const scale: Scale =
    isSwitch || trace.values.length === 0 ? { bottom: 0, top: 1, low: null, high: null } : scaleOf(trace.values, trace);
  const last = trace.times.at(-1) ?? now;
  const longest = trace.longest(last, now);
  const plot: Plot = {
    ...{ pen, width, height, now, colours },
    end: !look.isLost && now - last <= longest ? now : last,
    x: (time) => ((time - from) / sparklineSpan) * (width - inset.right),
    y: (value) =>
      height -
      inset.bottom -
      ((value - scale.bottom) / (scale.top - scale.bottom)) * (height - inset.top - inset.bottom),
  };
  const colour = look.isQuiet ? colours.quiet : colours.line;
  if (!isSwitch) band(plot, trace, scale, look);
  hatch(plot, gapsOf(trace, from, now, look.isLost ? 0 : undefined));
  if (isSwitch) drawSwitch(plot, trace, look, colour);
  else drawLine(plot, trace, look, colour);
};
