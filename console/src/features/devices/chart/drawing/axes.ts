import type { Drawing } from "./drawing.ts";
import { plotWidth } from "./layout.ts";
import { type Picture, viewOf, type Zoom } from "./picture.ts";
import { timeTicks } from "./ticks.ts";
import { digitalScale, extremes, type ValueScale, valueScale } from "./value-scale.ts";

/** Width in pixels of a label on the time axis. */
const tickRoom = { wide: 96, narrow: 62 };

/** The axis below the plot, with ticks for the view. */
export const timeAxis = ({ picture, layout, tokens }: Drawing, zoom: Zoom) => {
  const room = layout.isNarrow ? tickRoom.narrow : tickRoom.wide;
  const most = Math.max(2, Math.floor(plotWidth(layout) / room));
  const ticks = timeTicks(viewOf(picture.range, zoom), picture.zone, most);
  const labels = new Map(ticks.map(({ time, label }) => [time, label]));
  const customValues = [...labels.keys()];
  return {
    id: "time",
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

/** The value axis for the readings in view. */
export const scaleOf = ({ samples, range, thresholds, kind }: Picture, zoom: Zoom): ValueScale => {
  if (kind === "switch") return digitalScale;
  const limits = thresholds.map(({ value }) => value);
  return valueScale(extremes(samples, viewOf(range, zoom)), limits, kind === "steps" ? 1 : 0);
};

/** The axis at the left, with round values for the view. */
export const valueAxis = ({ picture, tokens }: Drawing, zoom: Zoom) => {
  const { min, max, step, decimals } = scaleOf(picture, zoom);
  const isSwitch = picture.kind === "switch";
  const at = (value: number) => (isSwitch ? picture.show(value) : value.toFixed(decimals));
  const customValues = isSwitch ? { customValues: [0, 1] } : {};
  return {
    id: "value",
    type: "value",
    name: picture.unit,
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
export const overviewAxes = ({ picture }: Drawing) => {
  const { min, max } = scaleOf(picture, { start: 0, end: 100 });
  const silent = { type: "value", gridIndex: 1, show: false, axisPointer: { show: false } };
  return {
    time: { id: "overview-time", ...silent, min: picture.range.start, max: picture.range.end },
    value: { id: "overview-value", ...silent, min, max },
  };
};
