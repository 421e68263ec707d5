import type { EChartsCoreOption } from "echarts/core";
import { type Layout, plotWidth, slider } from "./layout.ts";
import { alertMarks, thresholdMarks } from "./marks.ts";
import { type Picture, viewOf, type Zoom } from "./picture.ts";
import { lonely, type Sample } from "./samples.ts";
import { partBeyond } from "./thresholds.ts";
import { timeTicks } from "./ticks.ts";
import type { ChartTokens } from "./tokens.ts";
import { tooltipOf } from "./tooltip.ts";
import { digitalScale, extremes, valueScale } from "./value-scale.ts";

/** How the chart is to be drawn: what, how large, in which colours. */
export interface Drawing {
  picture: Picture;
  layout: Layout;
  tokens: ChartTokens;
}

/** Width in pixels that a label of the time axis needs. */
const tickRoom = 96;

const timeAxis = ({ picture, layout, tokens }: Drawing, zoom: Zoom) => {
  const ticks = timeTicks(
    viewOf(picture.range, zoom),
    picture.zone,
    Math.max(2, Math.floor(plotWidth(layout) / tickRoom)),
  );
  const labels = new Map(ticks.map(({ time, label }) => [time, label]));
  const customValues = [...labels.keys()];
  return {
    type: "value",
    min: picture.range.start,
    max: picture.range.end,
    splitLine: { show: false },
    axisLine: { show: true, onZero: false, lineStyle: { color: tokens.borderStrong } },
    axisTick: { show: true, length: 5, customValues, lineStyle: { color: tokens.borderStrong } },
    axisLabel: {
      customValues,
      color: tokens.axis,
      fontSize: 12.5,
      margin: 9,
      hideOverlap: true,
      formatter: (time: number) => labels.get(time) ?? "",
    },
  };
};

const scaleOf = ({ samples, range, thresholds, kind }: Picture, zoom: Zoom) => {
  if (kind === "switch") return digitalScale;
  return valueScale(
    extremes(samples, viewOf(range, zoom)),
    thresholds.map(({ value }) => value),
  );
};

const valueAxis = ({ picture, tokens }: Drawing, zoom: Zoom) => {
  const { min, max, step, decimals } = scaleOf(picture, zoom);
  const isSwitch = picture.kind === "switch";
  const at = (value: number) => (isSwitch ? (value > 0 ? "ON" : "OFF") : value.toFixed(decimals));
  const customValues = isSwitch ? { customValues: [0, 1] } : {};
  return {
    type: "value",
    name: picture.unit,
    nameGap: 10,
    nameTextStyle: { color: tokens.axis, fontSize: 12.5, align: "right", padding: [0, 8, 0, 0] },
    min,
    max,
    interval: step,
    splitLine: { lineStyle: { color: tokens.grid } },
    axisLine: { show: false },
    // The lines across the plot follow the ticks, shown or not.
    axisTick: { show: false, ...customValues },
    axisLabel: { color: tokens.axis, fontSize: 12.5, formatter: at, ...customValues },
  };
};

/** Ids of the series; what a new reading or a zoom changes is found by them. */
const series = { line: "line", high: "high", low: "low", lonely: "lonely", alerts: "alerts" } as const;

const lineOf = ({ picture: { kind }, tokens }: Drawing, color: string, width: number) => ({
  type: "line",
  step: kind === "slope" ? false : "end",
  symbol: "circle",
  symbolSize: 7,
  showSymbol: false,
  animation: false,
  connectNulls: false,
  lineStyle: { color, width, join: "round" },
  itemStyle: { color: tokens.surface, borderColor: color, borderWidth: 2 },
  emphasis: {
    scale: false,
    lineStyle: { width },
    itemStyle: { color: tokens.surface, borderColor: color, borderWidth: 2 },
  },
});

const beyond = ({ samples, thresholds, kind }: Picture, high: boolean): Sample[] =>
  thresholds.filter((each) => each.high === high).flatMap((each) => partBeyond(samples, each, kind !== "slope"));

/** The series with their readings. */
const readings = (drawing: Drawing) => {
  const { picture, tokens } = drawing;
  const excess = { ...lineOf(drawing, tokens.threshold, 2.4), z: 3, tooltip: { show: false } };
  return [
    // The thinning keeps the line's look; what is beyond a threshold is drawn unthinned above it, so no excess is lost.
    { ...lineOf(drawing, tokens.line, 1.75), id: series.line, z: 2, sampling: "lttb", data: picture.samples },
    { ...excess, id: series.high, data: beyond(picture, true) },
    { ...excess, id: series.low, data: beyond(picture, false) },
    {
      ...lineOf(drawing, tokens.line, 0),
      id: series.lonely,
      z: 2,
      tooltip: { show: false },
      showSymbol: true,
      symbolSize: 4,
      itemStyle: { color: tokens.line, borderWidth: 0 },
      data: lonely(picture.samples),
    },
  ];
};

/** The series that carries the thresholds and alerts; its marks depend on what is in view. */
const marks = (drawing: Drawing, zoom: Zoom) => ({
  id: series.alerts,
  type: "line",
  data: [],
  silent: true,
  animation: false,
  markLine: thresholdMarks(drawing, zoom, scaleOf(drawing.picture, zoom)),
  markArea: alertMarks(drawing, zoom),
});

const sliderHandle = "path://M-4.5,-11h9v22h-9zM-1.5,-5v10M1.5,-5v10";

const zoomSlider = ({ layout, tokens }: Drawing) => ({
  type: "slider",
  left: layout.left,
  right: layout.right,
  bottom: slider.bottom,
  height: slider.height,
  filterMode: "none",
  showDetail: false,
  brushSelect: false,
  moveHandleSize: 0,
  borderColor: tokens.border,
  borderRadius: 0,
  backgroundColor: tokens.surface2,
  fillerColor: tokens.zoom,
  dataBackground: { lineStyle: { color: tokens.axis, width: 1, opacity: 0.75 }, areaStyle: { opacity: 0 } },
  selectedDataBackground: { lineStyle: { color: tokens.axis, width: 1, opacity: 0.75 }, areaStyle: { opacity: 0 } },
  handleIcon: sliderHandle,
  handleSize: layout.isNarrow ? 34 : 22,
  handleStyle: { color: tokens.accentFill, borderColor: tokens.surface, borderWidth: 1 },
  emphasis: { handleStyle: { color: tokens.accentFill, borderColor: tokens.surface, borderWidth: 1 } },
});

/** What a zoom changes: both axes and the marks. The readings stay as they are. */
export const zoomedOption = (drawing: Drawing, zoom: Zoom): EChartsCoreOption => ({
  xAxis: timeAxis(drawing, zoom),
  yAxis: valueAxis(drawing, zoom),
  series: [marks(drawing, zoom)],
});

/** Everything but where the zoom begins. */
export const fullOption = (drawing: Drawing, zoom: Zoom): EChartsCoreOption => {
  const { layout, tokens } = drawing;
  return {
    animation: false,
    textStyle: { fontFamily: tokens.font },
    grid: {
      left: layout.left,
      right: layout.right,
      top: layout.top,
      bottom: layout.bottom,
      outerBoundsMode: "none",
    },
    xAxis: timeAxis(drawing, zoom),
    yAxis: valueAxis(drawing, zoom),
    tooltip: tooltipOf(drawing),
    dataZoom: [
      { id: "slider", ...zoomSlider(drawing) },
      // Plain scrolling belongs to the page.
      { id: "inside", type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", preventDefaultMouseMove: false },
    ],
    series: [...readings(drawing), marks(drawing, zoom)],
  };
};
