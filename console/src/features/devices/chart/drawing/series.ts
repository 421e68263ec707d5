import { standing, withHeld } from "../../../../domain/held.ts";
import type { Sample } from "../../../../domain/samples.ts";
import { extentOf } from "../truth/placed-limits.ts";
import { isBeyond, nearestLimits, partBeyond } from "../truth/thresholds.ts";
import { scaleOf } from "./axes.ts";
import { type ChartModel, onlyReading, viewOf, type Zoom } from "./chart-model.ts";
import type { Drawing } from "./drawing.ts";
import { plotWidth, roomOfPoint } from "./layout.ts";
import { alertMarks, groundMarks, limitLine, thresholdMarks } from "./marks.ts";

/** Series ids, by which ECharts matches them between drawings; the tooltip refers to the line. */
export const seriesId = {
  line: "line",
  high: "high",
  low: "low",
  points: "points",
  marks: "marks",
  ground: "ground",
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

/** The line as it is drawn. */
export const drawnLine = ({ samples, held }: Pick<ChartModel, "samples" | "held">): Sample[] => withHeld(samples, held);

/** The part of the line above its high or below its low thresholds. What is beyond the nearest includes what is beyond the others. */
export const beyond = (model: Pick<ChartModel, "samples" | "held" | "kind" | "thresholds">, high: boolean): Sample[] =>
  nearestLimits(model.thresholds, high).flatMap((each) => partBeyond(drawnLine(model), each, model.kind !== "slope"));

/**
 * Downsampling keeps the shape of an interpolated line; the parts beyond a threshold are drawn on top at full resolution, so that no excess is lost.
 * Steps are never downsampled: a short pulse would vanish.
 */
const thinning = ({ kind, held }: ChartModel) => (kind === "slope" && held.size === 0 ? { sampling: "lttb" } : {});

/** ON is filled. */
const filling = ({ model, tokens }: Drawing) =>
  model.kind === "switch" ? { areaStyle: { color: tokens.zoom, origin: 0 } } : {};

/** The series with the readings. */
export const readings = (drawing: Drawing) => {
  const { model, tokens } = drawing;
  const excess = { ...lineOf(drawing, tokens.threshold, 2.4), z: 3 };
  return [
    {
      ...lineOf(drawing, tokens.line, 1.75),
      ...thinning(model),
      ...filling(drawing),
      id: seriesId.line,
      z: 2,
      data: drawnLine(model),
    },
    { ...excess, id: seriesId.high, data: beyond(model, true) },
    { ...excess, id: seriesId.low, data: beyond(model, false) },
  ];
};

/** Below this number of readings each is a dot. */
const fewReadings = 60;

/** Half the width of the only reading's label, pixels. */
const halfLabel = 80;

/** Where the label of the only reading stands, which may be at an end of the window: below it in a narrow plot, otherwise at the side with room. */
const onlySide = ({ model: { range }, layout }: Drawing, time: number): "bottom" | "left" | "right" => {
  const share = (time - range.start) / (range.end - range.start);
  const nearest = Math.min(share, 1 - share) * plotWidth(layout);
  return layout.isNarrow && nearest > halfLabel ? "bottom" : share > 0.5 ? "left" : "right";
};

/** Time and value beside the only reading. */
const onlyLabel = (drawing: Drawing) => {
  const { model, tokens } = drawing;
  const only = onlyReading(model);
  if (!only) return {};
  const [time, value] = only;
  return {
    label: {
      show: true,
      position: onlySide(drawing, time),
      distance: 12,
      formatter: `{value|${model.show(value)}}\n{time|${model.zone.stamp(time).slice(11)}, the only reading}`,
      rich: {
        value: { color: tokens.text1, fontSize: 15, fontWeight: 600, lineHeight: 20 },
        time: { color: tokens.text2, fontSize: 12.5, lineHeight: 16 },
      },
    },
  };
};

/** Every reading in view where there is space or they are few; otherwise only those that the line alone does not tell. */
export const points = (drawing: Drawing, zoom: Zoom) => {
  const { model, layout, tokens } = drawing;
  const view = viewOf(model.range, zoom);
  const inView = model.samples.filter(([time, value]) => value !== null && time >= view.start && time <= view.end);
  const perPixel = (view.end - view.start) / plotWidth(layout);
  const isRoomy = inView.length < fewReadings || inView.length * roomOfPoint <= plotWidth(layout);
  const colorOf = (sample: Sample) =>
    model.thresholds.some((threshold) => isBeyond(sample, threshold)) ? tokens.threshold : tokens.line;
  return {
    ...lineOf(drawing, tokens.line, 0),
    id: seriesId.points,
    z: 4,
    silent: true,
    tooltip: { show: false },
    showSymbol: true,
    symbolSize: isRoomy ? 7 : 6,
    data: (isRoomy ? inView : standing(model, roomOfPoint * perPixel)).map((sample) => {
      const color = colorOf(sample);
      const isHollow = model.held.has(sample[0]);
      return {
        value: sample,
        itemStyle: isHollow ? { color: tokens.surface, borderColor: color, borderWidth: 2 } : { color, borderWidth: 0 },
        ...onlyLabel(drawing),
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

/** The series behind all others, which carries what is no reading: windows without data, and an event of the device. */
export const ground = (drawing: Drawing, zoom: Zoom) => ({
  id: seriesId.ground,
  type: "line",
  data: [],
  silent: true,
  animation: false,
  z: 0,
  markArea: groundMarks(drawing, zoom),
});

/** The whole range in the zoom slider, with its thresholds and alerts. */
export const overview = (drawing: Drawing) => {
  const { model, tokens, layout } = drawing;
  return {
    ...lineOf(drawing, tokens.axis, 1),
    id: seriesId.overview,
    xAxisIndex: 1,
    yAxisIndex: 1,
    ...thinning(model),
    silent: true,
    tooltip: { show: false },
    data: layout.hasSlider ? drawnLine(model) : [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      label: { show: false },
      lineStyle: { color: tokens.threshold, type: [3, 3], width: 1, opacity: 0.8 },
      data: (layout.hasSlider ? model.thresholds : []).map((each) =>
        limitLine({ ...each, ...extentOf(each, model.range) }, each.value, {}),
      ),
    },
    markArea: {
      silent: true,
      animation: false,
      itemStyle: { color: tokens.span },
      label: { show: false },
      data: (layout.hasSlider ? model.spans : []).map(({ start, end }) => [{ xAxis: start }, { xAxis: end }]),
    },
  };
};
