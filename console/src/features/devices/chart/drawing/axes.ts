import { limitsIn } from "../truth/thresholds.ts";
import { type ChartModel, onlyReading, viewOf, type Zoom } from "./chart-model.ts";
import type { Drawing } from "./drawing.ts";
import { type AxisTexts, plotWidth } from "./layout.ts";
import { timeTicks } from "./ticks.ts";
import {
  axisValue,
  digitalScale,
  extremes,
  includedLimits,
  scaleAround,
  type ValueScale,
  valueScale,
} from "./value-scale.ts";

/** Width in pixels of a label on the time axis. */
const tickRoom = { wide: 96, narrow: 62 };

/** The axis below the plot, with ticks for the view. */
export const timeAxis = ({ model, layout, tokens }: Drawing, zoom: Zoom) => {
  const room = layout.isNarrow ? tickRoom.narrow : tickRoom.wide;
  const most = Math.max(2, Math.floor(plotWidth(layout) / room));
  const ticks = timeTicks(viewOf(model.range, zoom), model.zone, most);
  const labels = new Map(ticks.map(({ time, label }) => [time, label]));
  const customValues = [...labels.keys()];
  return {
    id: "time",
    type: "value",
    min: model.range.start,
    max: model.range.end,
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

/** The value axis for the readings in view. */
export const scaleOf = (model: ChartModel, zoom: Zoom): ValueScale => {
  const { samples, range, thresholds, kind, limits } = model;
  if (kind === "switch") return digitalScale;
  // Between counts there is nothing; a register may have decimals.
  const least = kind === "steps" && samples.every(([, value]) => Number.isInteger(value ?? 0)) ? 1 : 0;
  const only = onlyReading(model);
  if (only) return scaleAround(only[1], least);
  const view = viewOf(range, zoom);
  const found = extremes(samples, view);
  return valueScale(found, includedLimits(limitsIn(thresholds, view), limits, found), least);
};

/** The texts of the value axis, the longest of which is at one of its ends. */
export const axisTexts = (model: ChartModel, zoom: Zoom): AxisTexts => {
  if (model.kind === "switch") return { words: [0, 1].map(model.show) };
  const scale = scaleOf(model, zoom);
  return { figures: [scale.min, scale.max].map((value) => axisValue(value, scale)), unit: model.unit };
};

/** The axis at the left, with round values for the view. */
export const valueAxis = ({ model, tokens }: Drawing, zoom: Zoom) => {
  const scale = scaleOf(model, zoom);
  const { min, max, step } = scale;
  const isSwitch = model.kind === "switch";
  const at = (value: number) => (isSwitch ? model.show(value) : axisValue(value, scale));
  const customValues = isSwitch ? { customValues: [0, 1] } : {};
  return {
    id: "value",
    type: "value",
    name: model.unit,
    nameGap: 13,
    nameTextStyle: { color: tokens.axis, fontSize: 12.5, align: "right", padding: [0, 8, 0, 0] },
    min,
    max,
    interval: step,
    splitLine: { lineStyle: { color: tokens.grid } },
    axisLine: { show: false },
    // The grid lines follow the ticks, visible or not.
    axisTick: { show: false, ...customValues },
    axisLabel: { color: tokens.axis, fontSize: 12.5, formatter: at, ...customValues },
  };
};

/** The axes of the overview in the zoom slider: the whole range, without labels. */
export const overviewAxes = ({ model }: Drawing) => {
  const { min, max } = scaleOf(model, { start: 0, end: 100 });
  const silent = { type: "value", gridIndex: 1, show: false, axisPointer: { show: false } };
  return {
    time: { id: "overview-time", ...silent, min: model.range.start, max: model.range.end },
    value: { id: "overview-value", ...silent, min, max },
  };
};
