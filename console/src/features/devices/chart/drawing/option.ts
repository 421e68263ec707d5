import type { EChartsCoreOption } from "echarts/core";
import { overviewAxes, timeAxis, valueAxis } from "./axes.ts";
import type { ChartModel, Zoom } from "./chart-model.ts";
import type { Drawing } from "./drawing.ts";
import { slider } from "./layout.ts";
import { ground, marks, overview, points, readings } from "./series.ts";
import { tooltipOf } from "./tooltip.ts";

const sliderHandle = "path://M-4.5,-11h9v22h-9zM-1.5,-5v10M1.5,-5v10";

/** Maximum zoom: ten seconds over the width of the chart. */
const closest = 10_000;

const closestOf = ({ range }: ChartModel) => ({ minValueSpan: Math.min(closest, range.end - range.start) });

const zoomSlider = ({ model, layout, tokens }: Drawing) => ({
  ...closestOf(model),
  type: "slider",
  show: layout.hasSlider,
  xAxisIndex: 0,
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
  // The overview draws the line below the slider: the slider's own shadow would draw a gap as zero.
  showDataShadow: false,
  backgroundColor: "transparent",
  fillerColor: tokens.zoom,
  handleIcon: sliderHandle,
  handleSize: layout.isNarrow ? 28 : 22,
  handleStyle: { color: tokens.accentFill, borderColor: tokens.surface, borderWidth: 1 },
  emphasis: { handleStyle: { color: tokens.accentFill, borderColor: tokens.surface, borderWidth: 1 } },
});

const zoomInside = {
  type: "inside",
  xAxisIndex: 0,
  filterMode: "none",
  zoomOnMouseWheel: "ctrl",
  preventDefaultMouseMove: false,
};

const grids = ({ layout, tokens }: Drawing) => {
  const { left, right, top, bottom } = layout;
  const sides = { left, right, outerBoundsMode: "none" };
  const under = { show: layout.hasSlider, borderWidth: 0, backgroundColor: tokens.surface2 };
  const plot = { ...sides, top, bottom };
  if (layout.isLow) return [plot];
  return [plot, { ...sides, ...under, bottom: slider.bottom, height: slider.height }];
};

/** The options that depend on the zoom: both axes, the marks, and which readings are marked. The lines stay unchanged. */
export const zoomedOption = (drawing: Drawing, zoom: Zoom): EChartsCoreOption => ({
  xAxis: timeAxis(drawing, zoom),
  yAxis: valueAxis(drawing, zoom),
  series: [ground(drawing, zoom), points(drawing, zoom), marks(drawing, zoom)],
  tooltip: tooltipOf(drawing, zoom),
});

/** All options, except for the initial zoom. */
export const fullOption = (drawing: Drawing, zoom: Zoom): EChartsCoreOption => {
  const behind = drawing.layout.isLow ? undefined : overviewAxes(drawing);
  return {
    animation: false,
    textStyle: { fontFamily: drawing.tokens.font },
    grid: grids(drawing),
    xAxis: [timeAxis(drawing, zoom), ...(behind ? [behind.time] : [])],
    yAxis: [valueAxis(drawing, zoom), ...(behind ? [behind.value] : [])],
    tooltip: tooltipOf(drawing, zoom),
    dataZoom: [
      { id: "slider", ...zoomSlider(drawing) },
      { id: "inside", ...closestOf(drawing.model), ...zoomInside },
    ],
    series: [
      ground(drawing, zoom),
      ...readings(drawing),
      points(drawing, zoom),
      marks(drawing, zoom),
      ...(behind ? [overview(drawing)] : []),
    ],
  };
};
