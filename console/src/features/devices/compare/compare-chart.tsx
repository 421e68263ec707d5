import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { useIsPrinting } from "../../../ui/theme/use-is-printing.ts";
import type { Limits } from "../chart/drawing/chart-model.ts";
import { type Field, freePlace, type Point } from "../chart/drawing/free-place.ts";
import { gapsText } from "../chart/drawing/text.ts";
import classes from "./compare-chart.module.css";
import { PlotDrawing } from "./plot-drawing.tsx";
import { type Axis, axesOf, type Line, type Plot, pixelsOf, placeOf, plotsOf, readingAt, roomBeside } from "./plots.ts";
import { ReadOut } from "./read-out.tsx";

/** Below this width the names of the lines are told by the chips alone. */
const narrow = 760;

/** Size of the drawing on paper, which the style fits to the sheet. */
const onPaper = { width: 1000, height: 350 };

/** Least width of the plot, pixels. */
const leastPlot = 64;

/** The plot within the drawing, with room for two axes and, where it fits, names at the ends of the lines. */
const fieldOf = (width: number, height: number, axes: readonly Axis[]): Field => {
  const isNarrow = width < narrow;
  const beside = roomBeside(axes);
  const right = Math.max(beside.left + leastPlot, width - beside.right - (isNarrow ? 0 : 190));
  return { left: beside.left, right, top: 34, bottom: height - 34 };
};

interface CompareChartProps {
  lines: readonly Line[];
  limits: Limits;
  /** The moment under the shared cursor. */
  cursor: number | undefined;
  onCursor: (time: number | undefined) => void;
}

/** Text alternative: the channels, the window, and where each has no data. */
const wordsOf = (lines: readonly Line[]): string => {
  const range = lines[0]?.model.range;
  const zone = lines[0]?.model.zone;
  if (!range || !zone) return "";
  const nameOf = ({ model: { name }, deviceName }: Line) => `${name} of ${deviceName}`;
  const gaps = lines.flatMap((line) => {
    const text = gapsText(line.model, range);
    return text ? [`${nameOf(line)}: ${text}`] : [];
  });
  const window = `${zone.stamp(range.start)} to ${zone.stamp(range.end)}`;
  return [`${lines.map(nameOf).join(", ")}, ${window}`, ...gaps].join(". ");
};

/**
 * The place of the read-out: beside the cursor, on no line of any plot; else beside the plots, where the names of the lines are. Undefined where there is no
 * room for it: the table below says the same.
 */
const readOutPlace = (
  point: Point,
  plots: readonly Plot[],
  size: { width: number; height: number },
  wide: number,
): [left: number, top: number] | undefined => {
  const [first, last] = [plots[0], plots.at(-1)];
  if (!first || !last) return undefined;
  const lines = plots.flatMap((plot) =>
    plot.axes.flatMap((axis) => axis.lines.flatMap((line) => pixelsOf(line, axis, plot))),
  );
  const { left, right, top } = first.field;
  const free = freePlace(lines, point, size, { left, right, top, bottom: last.field.bottom });
  return free ?? (right + size.width < wide ? [wide - size.width, top] : undefined);
};

/** Share of the window by which an arrow key moves the cursor. */
const keyStep = 1 / 120;

/** Channels over one another with one cursor, an axis a unit. */
export const CompareChart = ({ lines, limits, cursor, onCursor }: CompareChartProps) => {
  const { ref, ...measured } = useElementSize<HTMLDivElement>();
  const { width, height } = useIsPrinting() ? onPaper : measured;
  const [pointerY, setPointerY] = useState<number>();
  const before = useRef<number>(undefined);
  const axes = useMemo(() => axesOf(lines, limits), [lines, limits]);
  const plots = useMemo(() => plotsOf(axes, fieldOf(width, height, axes)), [axes, width, height]);
  const range = lines[0]?.model.range;
  const [first] = plots;
  if (!range || !first) return null;
  const { left, right } = first.field;
  const length = range.end - range.start;
  const clamped = (time: number) => Math.min(range.end, Math.max(range.start, time));

  const onPoint = (event: MouseEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setPointerY(event.clientY - box.top);
    onCursor(clamped(range.start + ((event.clientX - box.left - left) / (right - left)) * length));
  };
  // Where a finger was lifted the cursor stays: the table below says its values.
  const onPointerLeave = ({ pointerType }: PointerEvent) => {
    if (pointerType === "mouse") onCursor(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key];
    if (event.key === "Escape") onCursor(undefined);
    if (event.key === "Home") onCursor(range.start);
    if (event.key === "End") onCursor(range.end);
    if (step !== undefined) onCursor(clamped((cursor ?? range.end) + step * length));
    if (step !== undefined || event.key === "Home" || event.key === "End") event.preventDefault();
  };
  const x = cursor === undefined ? undefined : left + ((cursor - range.start) / length) * (right - left);
  const middle = height / 2;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a chart whose cursor moves by keys is not a form field
    <div
      ref={ref}
      className={classes.chart}
      role="group"
      aria-label="Chart: arrow keys move the cursor"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the cursor is moved by keys
      tabIndex={0}
      onPointerDown={() => {
        before.current = cursor;
      }}
      onPointerMove={onPoint}
      onClick={onPoint}
      onPointerLeave={onPointerLeave}
      // The finger scrolls the page.
      onPointerCancel={() => onCursor(before.current)}
      onKeyDown={onKeyDown}
    >
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={wordsOf(lines)}>
          {plots.map((each, index) => (
            <PlotDrawing
              key={each.field.top}
              plot={each}
              hasLabels={width >= narrow}
              hasTimes={index === plots.length - 1}
            />
          ))}
          {x !== undefined && (
            <line className={classes.cursor} x1={x} x2={x} y1={first.field.top} y2={plots.at(-1)?.field.bottom} />
          )}
          {cursor !== undefined &&
            plots.flatMap((each) =>
              each.axes.flatMap((axis) =>
                axis.lines.map((line) => {
                  const [time, value] = readingAt(line.model, cursor) ?? [];
                  if (time === undefined || typeof value !== "number") return null;
                  const at = placeOf(line, axis, each);
                  return (
                    <circle
                      key={line.channelId}
                      className={classes.hit}
                      data-place={line.place}
                      cx={Math.min(right, Math.max(left, line.model.kind === "slope" ? at.x(time) : (x ?? 0)))}
                      cy={at.y(value)}
                      r={4}
                    />
                  );
                }),
              ),
            )}
        </svg>
      )}
      {x !== undefined && cursor !== undefined && (
        <ReadOut
          lines={lines}
          time={cursor}
          placed={(size) => readOutPlace([x, pointerY ?? middle], plots, size, width)}
        />
      )}
    </div>
  );
};
