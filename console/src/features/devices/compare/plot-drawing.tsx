import { spread } from "../chart/drawing/free-place.ts";
import { drawnLine } from "../chart/drawing/series.ts";
import { gridOf, pathOf } from "../chart/drawing/svg.ts";
import { timeTicks } from "../chart/drawing/ticks.ts";
import { partBeyond } from "../chart/truth/thresholds.ts";
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

/** Height of a limit's name and width of one of its characters, pixels. */
const nameRoom = 15;
const letter = 6.2;
/** Between a name and the edge of what is behind it. */
const nameAir = 4;

/** The limits that are in the plot, each with its channel's name as far as it covers no other. */
const limitsOf = (plot: Plot) => {
  const inPlot = plot.axes.flatMap((axis) =>
    axis.lines.flatMap((line) => {
      const { y } = placeOf(line, axis, plot);
      return line.model.thresholds
        .filter(({ value }) => value >= axis.scale.min && value <= axis.scale.max)
        .map((limit) => ({ ...limit, line, height: y(limit.value) }));
    }),
  );
  const named: number[] = [];
  return inPlot.map((limit) => {
    const isNamed = named.every((height) => Math.abs(height - limit.height) >= nameRoom);
    if (isNamed) named.push(limit.height);
    return { ...limit, isNamed };
  });
};

const LimitLines = ({ plot }: { plot: Plot }) =>
  limitsOf(plot).map(({ name, value, isRule, line, height }) => (
    <line
      key={`${line.channelId} ${name} ${value}`}
      className={classes.limit}
      x1={plot.field.left}
      x2={plot.field.right}
      y1={height}
      y2={height}
      strokeDasharray={isRule ? "2 3" : "7 4"}
    />
  ));

/** The names of the limits, on the plot's ground above the lines: among them no name could be read. */
const LimitNames = ({ plot }: { plot: Plot }) =>
  limitsOf(plot)
    .filter(({ isNamed }) => isNamed)
    .map(({ name, value, line, height }) => {
      const text = `${line.model.name}, ${name} ${line.model.show(value)}`;
      const left = plot.field.left + nameAir;
      return (
        <g key={`${line.channelId} ${name} ${value}`} className={classes.limitName}>
          <rect x={left} y={height - nameRoom - 2} width={text.length * letter + 2 * nameAir} height={nameRoom} />
          <text x={left + nameAir} y={height - 6}>
            {text}
          </text>
        </g>
      );
    });

/** A line; the part beyond its own limits is red, in its pattern. */
const LineDrawing = ({ line, axis, plot }: { line: Line; axis: Axis; plot: Plot }) => {
  const place = placeOf(line, axis, plot);
  const isStepped = line.model.kind !== "slope";
  const drawn = drawnLine(line.model);
  const beyond = line.model.thresholds.flatMap((each) => partBeyond(drawn, each, isStepped));
  const values = line.model.samples.filter(([, value]) => value !== null);
  const [time, value] = (values.length === 1 && values[0]) || [];
  return (
    <g className={classes.line} data-place={line.place}>
      <path d={pathOf(drawn, place, isStepped)} strokeDasharray={patterns[line.place]} />
      <path className={classes.beyond} d={pathOf(beyond, place, isStepped)} strokeDasharray={patterns[line.place]} />
      {time !== undefined && typeof value === "number" && <circle cx={place.x(time)} cy={place.y(value)} r={3.5} />}
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

/** One plot: its axes, limits and lines. */
export const PlotDrawing = ({ plot, hasLabels, hasTimes }: PlotDrawingProps) => {
  const { field, axes } = plot;
  const model = axes[0]?.lines[0]?.model;
  if (!model) return null;
  const { range, zone } = model;
  const x = (time: number) =>
    field.left + ((time - range.start) / (range.end - range.start)) * (field.right - field.left);
  const each = axes.flatMap((axis) => axis.lines.map((line) => ({ axis, line, plot, key: line.channelId })));
  return (
    <g className={classes.plot}>
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
      <LimitLines plot={plot} />
      {each.map(({ key, ...own }) => (
        <LineDrawing key={key} {...own} />
      ))}
      <LimitNames plot={plot} />
      {hasLabels && <EndLabels plot={plot} />}
    </g>
  );
};
