import { scaleOf } from "./axes.ts";
import { type ChartModel, viewOf, type Zoom } from "./chart-model.ts";
import type { Drawing } from "./drawing.ts";
import { plotWidth } from "./layout.ts";
import { alertMarks, thresholdMarks } from "./marks.ts";
import { isolatedSamples, type Sample } from "./samples.ts";
import { isBeyond, partBeyond } from "./thresholds.ts";

/** Series ids, by which ECharts matches them between drawings; the tooltip refers to the line. */
export const seriesId = {
  line: "line",
  high: "high",
  low: "low",
  points: "points",
  marks: "marks",
  overview: "overview",
} as const;

const lineOf = ({ model: { kind }, tokens }: Drawing, color: string, width: number) => ({
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

/** The parts of the line above its high or below its low thresholds. */
export const beyond = ({ samples, thresholds, kind }: ChartModel, high: boolean): Sample[] =>
  thresholds.filter((each) => each.high === high).flatMap((each) => partBeyond(samples, each, kind !== "slope"));

/**
 * Downsampling keeps the shape of an interpolated line; the parts beyond a threshold are drawn on top at full resolution, so that no excess is lost.
 * Steps are never downsampled: a short pulse would vanish.
 */
const thinning = ({ kind }: ChartModel) => (kind === "slope" ? { sampling: "lttb" } : {});

/** The series with the readings. */
export const readings = (drawing: Drawing) => {
  const { model, tokens } = drawing;
  const excess = { ...lineOf(drawing, tokens.threshold, 2.4), z: 3 };
  return [
    { ...lineOf(drawing, tokens.line, 1.75), ...thinning(model), id: seriesId.line, z: 2, data: model.samples },
    { ...excess, id: seriesId.high, data: beyond(model, true) },
    { ...excess, id: seriesId.low, data: beyond(model, false) },
  ];
};

/** Pixels per reading from which single readings can be distinguished. */
const roomOfPoint = 14;

/** Every reading in view where there is space; otherwise only those that no line shows. */
export const points = (drawing: Drawing, zoom: Zoom) => {
  const { model, layout, tokens } = drawing;
  const view = viewOf(model.range, zoom);
  const inView = model.samples.filter(([time, value]) => value !== null && time >= view.start && time <= view.end);
  const isRoomy = inView.length * roomOfPoint <= plotWidth(layout);
  const colorOf = ([, value]: Sample) =>
    model.thresholds.some((threshold) => isBeyond(value, threshold)) ? tokens.threshold : tokens.line;
  return {
    ...lineOf(drawing, tokens.line, 0),
    id: seriesId.points,
    z: 4,
    silent: true,
    tooltip: { show: false },
    showSymbol: true,
    symbolSize: isRoomy ? 7 : 6,
    data: (isRoomy ? inView : isolatedSamples(model.samples)).map((sample) => {
      const color = colorOf(sample);
      return {
        value: sample,
        itemStyle: isRoomy ? { color: tokens.surface, borderColor: color, borderWidth: 2 } : { color, borderWidth: 0 },
      };
    }),
  };
};

/** The series that carries thresholds and alerts; its marks depend on the view. */
export const marks = (drawing: Drawing, zoom: Zoom) => ({
  id: seriesId.marks,
  type: "line",
  data: [],
  silent: true,
  animation: false,
  markLine: thresholdMarks(drawing, zoom, scaleOf(drawing.model, zoom)),
  markArea: alertMarks(drawing, zoom),
});

/** The whole range in the zoom slider, with its thresholds and alerts. */
export const overview = (drawing: Drawing) => {
  const { model, tokens } = drawing;
  return {
    ...lineOf(drawing, tokens.axis, 1),
    id: seriesId.overview,
    xAxisIndex: 1,
    yAxisIndex: 1,
    ...thinning(model),
    silent: true,
    tooltip: { show: false },
    data: model.samples,
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      label: { show: false },
      lineStyle: { color: tokens.threshold, type: [3, 3], width: 1, opacity: 0.8 },
      data: model.thresholds.map(({ value }) => ({ yAxis: value })),
    },
    markArea: {
      silent: true,
      animation: false,
      itemStyle: { color: tokens.span },
      label: { show: false },
      data: model.spans.map(({ start, end }) => [{ xAxis: start }, { xAxis: end }]),
    },
  };
};
