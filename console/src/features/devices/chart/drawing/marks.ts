import { viewOf, type Zoom } from "./chart-model.ts";
import type { Drawing } from "./drawing.ts";
import { plotWidth } from "./layout.ts";
import type { Window } from "./samples.ts";
import { type LabelSide, labelled } from "./spans.ts";
import { alarmDiamond } from "./tokens.ts";
import type { ValueScale } from "./value-scale.ts";

const isShown = (value: number, { min, max }: ValueScale) => value >= min && value <= max;

const thresholdLabel = ({ layout, tokens }: Drawing, name: string, value: string) => ({
  show: true,
  position: layout.isNarrow ? "insideEndTop" : "end",
  distance: layout.isNarrow ? 2 : 9,
  formatter: layout.isNarrow ? `{name|${name}} {value|${value}}` : `{name|${name}}\n{value|${value}}`,
  align: layout.isNarrow ? "right" : "left",
  // Inside the plot the labels need a background.
  ...(layout.isNarrow ? { backgroundColor: tokens.surface, padding: [1, 4] } : {}),
  rich: {
    name: { color: tokens.alarmText, fontSize: 12.5, lineHeight: 15 },
    value: { color: tokens.alarmText, fontSize: 13.5, fontWeight: 600, lineHeight: 15 },
  },
});

/** Height of the bar above an alert. */
const cap = 3;
/** Height of the hollow cap of what would not be raised. */
const hollowHeight = 7;

/** Shortest mark of a low chart, pixels: an alert of a minute would not be seen among 30 days. */
const shortest = 7;

/** The spans in view, clipped to it; in a low chart each at least so wide that it is seen. */
const shownSpans = <T extends Window>({ layout }: Drawing, spans: readonly T[], view: Window): T[] => {
  const least = layout.isLow ? ((view.end - view.start) * shortest) / plotWidth(layout) : 0;
  return spans
    .filter(({ start, end }) => start <= view.end && end >= view.start)
    .map((span) => {
      const end = Math.min(Math.max(span.end, span.start + least), view.end);
      return { ...span, start: Math.max(Math.min(span.start, end - least), view.start), end };
    });
};

/** The thresholds as dashed lines with name and value, and the bar above each alert. */
export const thresholdMarks = (marked: Drawing, zoom: Zoom, scale: ValueScale) => {
  const { model, tokens } = marked;
  const view = viewOf(model.range, zoom);
  const limits = model.thresholds
    .filter(({ value }) => isShown(value, scale))
    .map(({ name, value }) => ({
      yAxis: value,
      lineStyle: { color: tokens.threshold, type: [7, 4], width: 1.5 },
      label: thresholdLabel(marked, name, model.show(value)),
    }));
  const caps = shownSpans(marked, model.spans, view).map(({ start, end }) => {
    const style = { lineStyle: { color: tokens.threshold, type: "solid", width: cap }, label: { show: false } };
    return [{ coord: [start, scale.max], ...style }, { coord: [end, scale.max] }];
  });
  return { silent: true, symbol: "none", animation: false, data: [...limits, ...caps] };
};

const labelPlace = (side: LabelSide | undefined) => ({
  show: side !== undefined,
  position: [side === "end" ? "100%" : 0, -21],
  align: side === "end" ? "right" : "left",
});

/** The alerts in view as tinted areas; a label with the diamond where it fits. */
export const alertMarks = (marked: Drawing, zoom: Zoom) => {
  const { model, layout, tokens } = marked;
  const view = viewOf(model.range, zoom);
  const chosen = labelled(layout.isLow ? [] : model.spans, view, plotWidth(layout), layout.right - 8);
  const data = shownSpans(marked, model.spans, view).map(({ alarmLogId, start, end, label }) => [
    { xAxis: start, label: { ...labelPlace(chosen.get(alarmLogId)), formatter: `{diamond|} {text|${label}}` } },
    { xAxis: end },
  ]);
  const hollow = shownSpans(marked, model.caps ?? [], view).map(({ start, end }) => [
    {
      xAxis: start,
      y: layout.top - hollowHeight,
      itemStyle: { color: tokens.surface, borderColor: tokens.borderStrong, borderWidth: 1.5 },
    },
    { xAxis: end, y: layout.top },
  ]);
  return {
    silent: true,
    animation: false,
    itemStyle: { color: tokens.span },
    label: {
      verticalAlign: "top",
      rich: {
        diamond: { width: 13, height: 13, backgroundColor: { image: alarmDiamond(tokens, 13) } },
        text: { color: tokens.alarmText, fontSize: 13, fontWeight: 600, padding: [0, 0, 0, 2] },
      },
    },
    data: [...data, ...hollow],
  };
};
