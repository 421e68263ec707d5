import { scaleOf } from "./axes.ts";
import { viewOf, type Zoom } from "./chart-model.ts";
import type { Drawing } from "./drawing.ts";
import { freePlace, type Point, underPlot } from "./free-place.ts";
import { plotWidth } from "./layout.ts";
import { drawnLine, seriesId } from "./series.ts";
import css from "./tooltip.module.css";

/** ECharts' parameters for a reading under the pointer. */
interface Hit {
  seriesId?: string;
  value: unknown;
}

const readingOf = (hits: unknown): [time: number, value: number] | undefined => {
  const hit = (Array.isArray(hits) ? (hits as Hit[]) : []).find(({ seriesId: id }) => id === seriesId.line);
  if (!hit || !Array.isArray(hit.value)) return undefined;
  const [time, value] = hit.value as unknown[];
  return typeof time === "number" && typeof value === "number" ? [time, value] : undefined;
};

const boxOf = (time: string, value: string): HTMLElement => {
  const box = document.createElement("div");
  box.className = css.tip ?? "";
  const line = document.createElement("span");
  line.textContent = time;
  const strong = document.createElement("b");
  strong.textContent = value;
  box.append(line, strong);
  return box;
};

/** The line in view, in pixels. */
const pixelsOf = ({ model, layout }: Drawing, zoom: Zoom): Point[][] => {
  const view = viewOf(model.range, zoom);
  const { min, max } = scaleOf(model, zoom);
  const tall = layout.height - layout.bottom - layout.top;
  const isStepped = model.kind !== "slope";
  const lines: Point[][] = [[]];
  for (const [time, value] of drawnLine(model)) {
    if (value === null) {
      lines.push([]);
      continue;
    }
    const x = layout.left + ((time - view.start) / (view.end - view.start)) * plotWidth(layout);
    const y = layout.top + ((max - value) / (max - min)) * tall;
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (isStepped && before) line?.push([x, before[1]]);
    line?.push([x, y]);
  }
  return lines;
};

/** Time and value of the reading next to the pointer, on no line. */
export const tooltipOf = (drawing: Drawing, zoom: Zoom) => {
  const { model, layout, tokens } = drawing;
  const { left, right, top, bottom, width, height } = layout;
  const field = { left, right: width - right, top, bottom: height - bottom };
  return {
    trigger: "axis",
    transitionDuration: 0,
    backgroundColor: "transparent",
    borderWidth: 0,
    padding: 0,
    extraCssText: "box-shadow: none",
    axisPointer: {
      type: "line",
      snap: true,
      label: { show: false },
      lineStyle: { color: tokens.text2, type: [2, 3], width: 1 },
    },
    position: (
      point: [number, number],
      _hits: unknown,
      _box: unknown,
      _rect: unknown,
      { contentSize: [wide, tall] }: { contentSize: [number, number] },
    ) => {
      const size = { width: wide, height: tall };
      return freePlace(pixelsOf(drawing, zoom), point, size, field) ?? underPlot(point, size, field);
    },
    formatter: (hits: unknown) => {
      const reading = readingOf(hits);
      return reading ? boxOf(model.zone.stamp(reading[0]), model.show(reading[1])) : "";
    },
  };
};
