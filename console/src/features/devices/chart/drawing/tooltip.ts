import type { Drawing } from "./drawing.ts";
import type { Layout } from "./layout.ts";
import { seriesId } from "./series.ts";
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

const gap = 16;

/** Places the tooltip in the half of the plot opposite to the pointer, so that the line stays visible. */
const place = (
  { height, bottom, top }: Layout,
  [x, y]: [number, number],
  size: { contentSize: [number, number]; viewSize: [number, number] },
) => {
  const [width, tall] = size.contentSize;
  const isRight = x + gap + width <= size.viewSize[0];
  const middle = (top + height - bottom) / 2;
  const under = Math.min(y + 2 * gap, height - bottom - tall - 4);
  const over = Math.max(y - 2 * gap - tall, top + 4);
  return [isRight ? x + gap : x - gap - width, y < middle ? under : over];
};

/** Time and value of the reading next to the pointer. */
export const tooltipOf = ({ model, layout, tokens }: Drawing) => ({
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
    size: { contentSize: [number, number]; viewSize: [number, number] },
  ) => place(layout, point, size),
  formatter: (hits: unknown) => {
    const reading = readingOf(hits);
    return reading ? boxOf(model.zone.stamp(reading[0]), model.show(reading[1])) : "";
  },
});
