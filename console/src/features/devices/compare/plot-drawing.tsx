import { standing } from "../../../domain/held.ts";
import { spread } from "../chart/drawing/free-place.ts";
import { roomOfPoint } from "../chart/drawing/layout.ts";
import { beyond, drawnLine } from "../chart/drawing/series.ts";
import { gridOf, pathOf } from "../chart/drawing/svg.ts";
import { timeTicks } from "../chart/drawing/ticks.ts";
import { isBeyond } from "../chart/truth/thresholds.ts";
import { type DrawnLimit, limitsOf, nameAir, nameRoom } from "./limits.ts";
import { patterns } from "./line-sign.tsx";
import classes from "./plot-drawing.module.css";
import { type Axis, axisText, type Line, labelStep, type Plot, placeOf, shortened } from "./plots.ts";

/** Width of a label on the time axis, pixels; and most values of an axis. */
const tickRoom = 90;
const mostValues = 6;

interface SideProps {
  plot: Plot;
  axis: Axis;
  isRight: boolean;
}

/** An axis at its side of the plot; the grid is that of the left one. */
const Side = ({ plot: { field }, axis, isRight }: SideProps) => {
  const { min, max } = axis.scale;
  const y = (value: number) => field.bottom - ((value - min) / (max - min)) * (field.bottom - field.top);
  const x = isRight ? field.right + 8 : field.left - 8;
  const anchor = isRight ? "start" : "end";
  return (
    <>
      <text className={classes.unit} x={x} y={field.top - 14} textAnchor={anchor}>
        {axis.unit}
      </text>
      {(axis.isSwitch ? [0, 1] : gridOf(axis.scale, mostValues)).map((value) => (
        <g key={value}>
          {!isRight && <line className={classes.grid} x1={field.left} x2={field.right} y1={y(value)} y2={y(value)} />}
          <text x={x} y={y(value) + 4} textAnchor={anchor}>
            {axisText(axis, value)}
          </text>
        </g>
      ))}
    </>
  );
};

const LimitLines = ({ limits }: { limits: readonly DrawnLimit[] }) =>
  limits
    .filter(({ isAway }) => !isAway)
    .map(({ name, value, isRule, line, left, right, height }) => (
      <line
        key={`${line.channelId} ${name} ${value} ${left}`}
        className={classes.limit}
        x1={left}
        x2={right}
        y1={height}
        y2={height}
        strokeDasharray={isRule ? "2 3" : "7 4"}
      />
    ));

/** The names of the limits, on the plot's ground above the lines: among them no name could be read. */
const LimitNames = ({ limits }: { limits: readonly DrawnLimit[] }) =>
  limits.map(({ name, value, line, left, text, nameLeft, width, named }) => {
    if (named === undefined) return null;
    return (
      <g key={`${line.channelId} ${name} ${value} ${left}`} className={classes.limitName}>
        <rect x={nameLeft} y={named - nameRoom - 2} width={width} height={nameRoom} />
        <text x={nameLeft + nameAir} y={named - 6}>
          {text}
        </text>
      </g>
    );
  });

/** Id of the hatch of a line's gaps. */
const hatchOf = ({ place }: Line): string => `no-data-${place}`;

/** The hatches of the lines' gaps: in their colours, and each at another angle, because gaps of several lines may overlap. */
const Hatches = ({ lines }: { lines: readonly Line[] }) => (
  <defs>
    {lines.map((line) => (
      <pattern
        key={line.channelId}
        id={hatchOf(line)}
        className={classes.hatch}
        data-place={line.place}
        width="8"
        height="8"
        patternUnits="userSpaceOnUse"
        patternTransform={`rotate(${45 + line.place * 30})`}
      >
        <line x1="0" x2="0" y1="0" y2="8" />
      </pattern>
    ))}
  </defs>
);

interface LineProps {
  line: Line;
  axis: Axis;
  plot: Plot;
}

/** Windows without data of a line. */
const Gaps = ({ line, axis, plot }: LineProps) => {
  const { x } = placeOf(line, axis, plot);
  const { top, bottom } = plot.field;
  const { gaps, range } = line.model;
  return gaps.map(({ start, end }) => {
    const [left, right] = [x(Math.max(start, range.start)), x(Math.min(end, range.end))];
    return (
      <rect
        key={start}
        data-gap={line.place}
        x={left}
        y={top}
        width={right - left}
        height={bottom - top}
        fill={`url(#${hatchOf(line)})`}
      />
    );
  });
};

/** The readings that no line shows, and those from which a value is held. */
const Dots = ({ line, axis, plot }: LineProps) => {
  const { model } = line;
  const { x, y } = placeOf(line, axis, plot);
  const perPixel = (model.range.end - model.range.start) / (plot.field.right - plot.field.left);
  return standing(model, roomOfPoint * perPixel).map((sample) => {
    const [time, value] = sample;
    return (
      value !== null && (
        <circle
          key={time}
          data-hollow={model.held.has(time) || undefined}
          data-beyond={model.thresholds.some((threshold) => isBeyond(sample, threshold)) || undefined}
          cx={x(time)}
          cy={y(value)}
          r={3.5}
        />
      )
    );
  });
};

/** A line; the part beyond its own limits is red, in its pattern. */
const LineDrawing = (props: LineProps) => {
  const { line, axis, plot } = props;
  const place = placeOf(line, axis, plot);
  const isStepped = line.model.kind !== "slope";
  const pattern = patterns[line.place];
  return (
    <g className={classes.line} data-place={line.place}>
      <path d={pathOf(drawnLine(line.model), place, isStepped)} strokeDasharray={pattern} />
      {[true, false].map((high) => (
        <path
          key={`${high}`}
          className={classes.beyond}
          d={pathOf(beyond(line.model, high), place, isStepped)}
          strokeDasharray={pattern}
        />
      ))}
      <Dots {...props} />
    </g>
  );
};

/** Characters that there is room for beside a plot, of a name in bold and of a device. */
const mostOfName = 21;
const mostOfDevice = 24;

/** Names at the ends of the lines. */
const EndLabels = ({ plot }: { plot: Plot }) => {
  const ends = plot.axes.flatMap((axis) =>
    axis.lines.flatMap((line) => {
      const [, value] = line.model.samples.findLast(([, each]) => each !== null) ?? [];
      return typeof value === "number" ? [{ line, height: placeOf(line, axis, plot).y(value) }] : [];
    }),
  );
  const heights = spread(
    ends.map(({ height }) => height),
    [plot.field.top, plot.field.bottom],
    labelStep,
  );
  const x = plot.names;
  return ends.map(({ line }, index) => (
    <g key={line.channelId} className={classes.end} data-place={line.place}>
      <line x1={x} x2={x + 24} y1={heights[index]} y2={heights[index]} strokeDasharray={patterns[line.place]} />
      <text className={classes.name} x={x + 30} y={(heights[index] ?? 0) + 1}>
        {shortened(line.model.name, mostOfName)}
      </text>
      <text x={x + 30} y={(heights[index] ?? 0) + 16}>
        {shortened(line.deviceName, mostOfDevice)}
      </text>
    </g>
  ));
};

interface PlotDrawingProps {
  plot: Plot;
  /** Whether the lines have their names at their ends. */
  hasLabels: boolean;
  /** Whether the time axis has its labels. */
  hasTimes: boolean;
}

/** One plot: its axes, limits and lines, and where these have no data. */
export const PlotDrawing = ({ plot, hasLabels, hasTimes }: PlotDrawingProps) => {
  const { field, axes } = plot;
  const model = axes[0]?.lines[0]?.model;
  if (!model) return null;
  const { range, zone } = model;
  const x = (time: number) =>
    field.left + ((time - range.start) / (range.end - range.start)) * (field.right - field.left);
  const each = axes.flatMap((axis) => axis.lines.map((line) => ({ axis, line, plot, key: line.channelId })));
  const limits = limitsOf(plot);
  return (
    <g className={classes.plot}>
      <Hatches lines={each.map(({ line }) => line)} />
      {each.map(({ key, ...own }) => (
        <Gaps key={key} {...own} />
      ))}
      {axes.map((axis, index) => (
        <Side key={`${axis.isSwitch} ${axis.unit}`} plot={plot} axis={axis} isRight={index > 0} />
      ))}
      <line className={classes.axis} x1={field.left} x2={field.right} y1={field.bottom} y2={field.bottom} />
      {timeTicks(range, zone, Math.max(2, Math.floor((field.right - field.left) / tickRoom))).map(({ time, label }) => (
        <g key={time}>
          <line className={classes.axis} x1={x(time)} x2={x(time)} y1={field.bottom} y2={field.bottom + 5} />
          {hasTimes && (
            <text x={x(time)} y={field.bottom + 20} textAnchor="middle">
              {label}
            </text>
          )}
        </g>
      ))}
      <LimitLines limits={limits} />
      {each.map(({ key, ...own }) => (
        <LineDrawing key={key} {...own} />
      ))}
      <LimitNames limits={limits} />
      {hasLabels && <EndLabels plot={plot} />}
    </g>
  );
};
