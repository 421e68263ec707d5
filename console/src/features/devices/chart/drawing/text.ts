import type { Window } from "../../../../domain/samples.ts";
import { excessOf, partBeyond } from "../truth/thresholds.ts";
import { type ChartModel, viewOf, type Zoom } from "./chart-model.ts";

const minute = 60_000;
const units = [
  { length: 24 * 60 * minute, name: "d", from: 2 * 24 * 60 * minute },
  { length: 60 * minute, name: "h", from: 60 * minute },
  { length: minute, name: "min", from: minute },
  { length: 1000, name: "s", from: 0 },
];

/** A duration, rounded: `24 h`, `3.5 h`, `15 d`. */
export const duration = (length: number): string => {
  const unit = units.find(({ from }) => length >= from) ?? { length: 1000, name: "s" };
  return `${Number((length / unit.length).toFixed(1))} ${unit.name}`;
};

/** The zoom as text: `0 ~ 15 %`. */
export const percent = ({ start, end }: Zoom): string => {
  const span = end - start;
  const digits = span < 0.2 ? 2 : span < 4 ? 1 : 0;
  return `${Number(start.toFixed(digits))} ~ ${Number(end.toFixed(digits))} %`;
};

/** A share as text: `44 %`, `0.4 %`. */
export const percentOf = (share: number): string => `${Number((share * 100).toFixed(share < 0.01 ? 1 : 0))} %`;

const day = 24 * 60 * minute;

/** A time of the chart, with its date where the chart shows a day or more. */
export const momentText = ({ zone, range }: Pick<ChartModel, "zone" | "range">, time: number): string =>
  range.end - range.start >= day ? zone.stamp(time).slice(5, 16) : zone.clock(time);

/** The same with its seconds. */
export const exactMomentText = ({ zone, range }: Pick<ChartModel, "zone" | "range">, time: number): string =>
  zone.stamp(time).slice(range.end - range.start >= day ? 5 : 11);

/** Maximum number of excess spans that are listed one by one. */
const most = 3;

/** Merges spans that look like one: less than a hundredth of the view apart. */
const together = (stretches: Window[], view: Window): Window[] => {
  const least = (view.end - view.start) / 100;
  const mergeParts: Window[] = [];
  for (const { start, end } of stretches) {
    const last = mergeParts.at(-1);
    if (last && start - last.end < least) last.end = end;
    else mergeParts.push({ start, end });
  }
  return mergeParts;
};

const excessText = (model: ChartModel, zoom: Zoom): string[] => {
  const view = viewOf(model.range, zoom);
  const { start, end } = view;
  const at = (time: number) => momentText({ zone: model.zone, range: view }, time);
  const inView = model.samples.filter(([time]) => time >= start && time <= end);
  return model.thresholds.flatMap((threshold) => {
    const excess = excessOf(partBeyond(inView, threshold, model.kind !== "slope"), threshold);
    if (!excess) return [];
    const stretches = together(excess.stretches, { start, end });
    const named = stretches.slice(0, most).map((span) => `from ${at(span.start)} to ${at(span.end)}`);
    const more = stretches.length - named.length;
    const times = [...named, ...(more > 0 ? [`${more} times more`] : [])].join(", ");
    const side = threshold.high ? { word: "Above", worst: "highest" } : { word: "Below", worst: "lowest" };
    return [
      `${side.word} the ${model.show(threshold.value)} threshold ${times}, ${side.worst} ${model.show(excess.worst)}.`,
    ];
  });
};

/** When the device was silent, as text; undefined where it never was. */
export const gapsText = ({ zone, gaps }: Pick<ChartModel, "zone" | "gaps">, view: Window): string | undefined => {
  const times = gaps
    .filter(({ start, end }) => start < view.end && end > view.start)
    .map(({ start, end }) => [start, end].map((time) => momentText({ zone, range: view }, time)).join(" to "));
  if (times.length === 0) return undefined;
  return `No data ${times.slice(0, most).join(", ")}${times.length > most ? `, and ${times.length - most} times more` : ""}.`;
};

/** Text alternative of the chart: channel, time in view, excesses of thresholds, alerts. */
export const chartText = (model: ChartModel, zoom: Zoom): string => {
  const view = viewOf(model.range, zoom);
  const { zone } = model;
  const excess = excessText(model, zoom);
  const alerts = model.spans
    .filter(({ start, end }) => start <= view.end && end >= view.start)
    .map(({ label }) => label);
  const mark =
    model.mark && model.mark.time >= view.start && model.mark.time <= view.end
      ? [`Opened for ${zone.stamp(model.mark.time)}.`]
      : [];
  const gaps = gapsText(model, view);
  return [
    `${model.name}, ${zone.stamp(view.start)} to ${zone.stamp(view.end)}.`,
    ...(excess.length > 0 || model.thresholds.length === 0 ? excess : ["Within its thresholds."]),
    ...(alerts.length > 0
      ? [`${alerts.slice(0, most).join(", ")}${alerts.length > most ? `, and ${alerts.length - most} more` : ""}.`]
      : []),
    ...mark,
    ...(model.band ? [`${model.band.label}.`] : []),
    ...(gaps ? [gaps] : []),
  ].join(" ");
};
