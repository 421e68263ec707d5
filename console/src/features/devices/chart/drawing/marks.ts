import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { Window } from "../../../../domain/samples.ts";
import { placedLimits } from "../truth/placed-limits.ts";
import { type ChartModel, viewOf, type Zoom } from "./chart-model.ts";
import type { Drawing } from "./drawing.ts";
import { spread } from "./free-place.ts";
import { type Layout, plotWidth } from "./layout.ts";
import { type AlertSpan, type LabelSide, labelled } from "./spans.ts";
import { alarmDiamond, hatch } from "./tokens.ts";
import type { ValueScale } from "./value-scale.ts";

/** Where the name of a limit stands: beside the plot, or in it at an end of its line, under it at the upper edge. */
const labelPositions = {
  beside: "end",
  end: "insideEndTop",
  start: "insideStartTop",
  under: "insideStartBottom",
} as const;
type LabelPosition = keyof typeof labelPositions;

const thresholdLabel = ({ tokens }: Drawing, name: string, value: string, at: LabelPosition) => ({
  show: true,
  position: labelPositions[at],
  distance: at === "beside" ? 9 : 2,
  formatter: at === "beside" ? `{name|${name}}\n{value|${value}}` : `{name|${name}}{value|${value}}`,
  align: at === "end" ? "right" : "left",
  // Inside the plot the labels need a background.
  ...(at === "beside" ? {} : { backgroundColor: tokens.surface, padding: [1, 4] }),
  rich: {
    name: { color: tokens.alarmText, fontSize: 12.5, lineHeight: 15 },
    value: {
      ...{ color: tokens.alarmText, fontSize: 13.5, fontWeight: 600, lineHeight: 15 },
      // A space between the two would have no width.
      ...(at === "beside" ? {} : { padding: [0, 0, 0, 5] }),
    },
  },
});

/** Whether the line comes near the limit in the second half of the view rather than in the first, so that the limit's name stands at its start. */
const isStartFreer = ({ model }: Drawing, view: Window, limit: number, { min, max }: ValueScale): boolean => {
  const middle = (view.start + view.end) / 2;
  const near = model.samples.filter(
    ([time, value]) =>
      value !== null && time >= view.start && time <= view.end && Math.abs(value - limit) < (max - min) / 8,
  );
  const late = near.filter(([time]) => time > middle).length;
  return late > near.length - late;
};

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

/** Pixels between two labels: of two lines beside a wide plot, of one inside a narrow one. */
const labelRoom = { wide: 33, narrow: 19 };
/** The least distance of a label beside the plot from the times below it. */
const aboveTimes = 14;

/** Width of a character of a limit's name, pixels. */
const labelLetter = 7.4;

/** Lines of a limit: those of a custom alert are finer. */
const patterns = { setting: [7, 4], rule: [2, 3] } as const;

/** The limits of the view, and on which side of a narrow plot each has its name. */
const limitsOf = (marked: Drawing, view: Window, scale: ValueScale) => {
  const { top, bottom, height, isNarrow } = marked.layout;
  return placedLimits(marked.model.thresholds, view, scale, { top, bottom: height - bottom }).map((limit) => ({
    ...limit,
    isAtStart: isNarrow && !limit.isAway && isStartFreer(marked, view, limit.value, scale),
  }));
};
type NamedLimit = ReturnType<typeof limitsOf>[number];

/** Where the names of the limits on one side stand, so that none covers another. */
const labelHeights = (limits: NamedLimit[], { top, bottom, height, isNarrow }: Layout): number[] => {
  // Inside a narrow plot a label stands above its height.
  const ends: [number, number] = isNarrow
    ? [top + labelRoom.narrow, height - bottom]
    : [top, height - bottom - aboveTimes];
  const heights = limits.map((limit) => limit.height);
  return spread(heights, ends, isNarrow ? labelRoom.narrow : labelRoom.wide);
};

/** A line at a limit: over the whole plot, or over the time in which it was in force. */
export const limitLine = <S extends object>({ during, start, end }: Threshold & Window, value: number, style: S) =>
  during ? [{ coord: [start, value], ...style }, { coord: [end, value] }] : { yAxis: value, ...style };

const limitStyle = ({ tokens }: Drawing, { isAway, isRule }: NamedLimit) => ({
  lineStyle: isAway
    ? { color: "transparent", width: 1 }
    : { color: tokens.threshold, type: [...patterns[isRule ? "rule" : "setting"]], width: 1.5 },
});

/** The limits that were changed before the end of the view, each with its name at its line as far as that is long enough. */
const pastLimits = (marked: Drawing, limits: NamedLimit[], view: Window) =>
  limits.map((limit) => {
    const { name, value, arrow, drawn, start, end } = limit;
    const shown = marked.model.show(value);
    const room = ((end - start) / (view.end - view.start)) * plotWidth(marked.layout);
    const label =
      room < `${arrow}${name} ${shown}`.length * labelLetter
        ? { show: false }
        : thresholdLabel(marked, `${arrow}${name}`, shown, value > drawn ? "under" : "start");
    return limitLine(limit, drawn, { ...limitStyle(marked, limit), label });
  });

/** The limits as lines with name and value. */
const limitMarks = (marked: Drawing, view: Window, scale: ValueScale) => {
  const { model, layout } = marked;
  const limits = limitsOf(marked, view, scale);
  const lasting = limits.filter(({ end }) => end === view.end);
  const past = limits.filter(({ end }) => end < view.end);
  const named = [true, false].flatMap((isAtStart) => {
    const onSide = lasting.filter((limit) => limit.isAtStart === isAtStart);
    const heights = labelHeights(onSide, layout);
    const position = layout.isNarrow ? (isAtStart ? "start" : "end") : "beside";
    return onSide.map((limit, index) => {
      const { name, value, arrow, drawn, height } = limit;
      const label = {
        ...thresholdLabel(marked, `${arrow}${name}`, model.show(value), position),
        offset: [0, (heights[index] ?? height) - height],
      };
      return limitLine(limit, drawn, { ...limitStyle(marked, limit), label });
    });
  });
  return [...named, ...pastLimits(marked, past, view)];
};

/** Where the names above the plot stand: first that of the event which the chart was opened for, then those of the alerts. */
const sidesOf = ({ band, spans }: ChartModel, layout: Layout, view: Window) =>
  labelled(layout.isLow ? [] : [...(band ? [band] : []), ...spans], view, plotWidth(layout), layout.right - 8);

/** The moment that the chart was opened for: a line over the whole height, of an alert with its diamond. */
const momentLine = ({ model, tokens, layout }: Drawing, view: Window) => {
  const { mark } = model;
  if (!mark || mark.time < view.start || mark.time > view.end) return [];
  const isEvent = mark.alarmLogId === model.band?.alarmLogId;
  const hasDiamond = !isEvent && sidesOf(model, layout, view).get(mark.alarmLogId ?? 0) === "start";
  return [
    {
      xAxis: mark.time,
      lineStyle: { color: tokens.mark, type: "solid", width: 1.5 },
      label: {
        show: true,
        position: "end",
        distance: 4,
        // Where the alert's name has to stand before the line, it has the diamond.
        formatter: hasDiamond ? "{diamond|}" : "",
        rich: { diamond: { width: 15, height: 15, backgroundColor: { image: alarmDiamond(tokens, 15) } } },
      },
    },
  ];
};

/** The thresholds as dashed lines with name and value, and the bar above each alert. */
export const thresholdMarks = (marked: Drawing, zoom: Zoom, scale: ValueScale) => {
  const { model, tokens } = marked;
  const view = viewOf(model.range, zoom);
  const caps = shownSpans(marked, model.spans, view).map(({ start, end }) => {
    const style = { lineStyle: { color: tokens.threshold, type: "solid", width: cap }, label: { show: false } };
    return [{ coord: [start, scale.max], ...style }, { coord: [end, scale.max] }];
  });
  return {
    silent: true,
    symbol: "none",
    animation: false,
    data: [...limitMarks(marked, view, scale), ...caps, ...momentLine(marked, view)],
  };
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
  const chosen = sidesOf(model, layout, view);
  const data = shownSpans(marked, model.spans, view).map(({ alarmLogId, start, end, label }) => [
    {
      xAxis: start,
      label: {
        ...labelPlace(chosen.get(alarmLogId)),
        // The diamond of the marked one stands on its line.
        formatter:
          model.mark?.alarmLogId === alarmLogId && chosen.get(alarmLogId) === "start"
            ? `{gap|}{text|${label}}`
            : `{diamond|} {text|${label}}`,
      },
    },
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
        gap: { width: 11 },
        text: { color: tokens.alarmText, fontSize: 13, fontWeight: 600, padding: [0, 0, 0, 2] },
      },
    },
    data: [...data, ...hollow],
  };
};

/** What is no reading: windows without data are hatched, an event of the device is a band. */
export const groundMarks = ({ model, layout, tokens }: Drawing, zoom: Zoom) => {
  const view = viewOf(model.range, zoom);
  const inView = ({ start, end }: Window) => start <= view.end && end >= view.start;
  const area = ({ start, end }: Window, own: object) => [
    { xAxis: Math.max(start, view.start), ...own },
    { xAxis: Math.min(end, view.end) },
  ];
  const label = ({ alarmLogId, label: text }: AlertSpan) => ({
    ...labelPlace(sidesOf(model, layout, view).get(alarmLogId)),
    verticalAlign: "top",
    color: tokens.text2,
    fontSize: 12.5,
    formatter: text,
  });
  const gaps = model.gaps
    .filter(inView)
    .map((gap) => area(gap, { itemStyle: { color: { image: hatch(tokens), repeat: "repeat" } } }));
  const { band } = model;
  const bands = band && inView(band) ? [area(band, { itemStyle: { color: tokens.gap }, label: label(band) })] : [];
  return { silent: true, animation: false, label: { show: false }, data: [...gaps, ...bands] };
};
