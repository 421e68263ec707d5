import type { Zone } from "@telltale/contract/text/wall-clock";
import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { Sample, Window } from "../../../../domain/samples.ts";
import type { LineKind } from "../../../../domain/shown-value.ts";
import type { AlertSpan } from "./spans.ts";

/** Everything the chart shows, independent of zoom and colours. */
export interface ChartModel {
  /** The channel's name. */
  name: string;
  unit: string;
  /** With an empty sample at each gap. */
  samples: Sample[];
  range: Window;
  thresholds: Threshold[];
  /** Which of them the value axis includes. */
  limits: Limits;
  spans: AlertSpan[];
  /** Not all alerts that stood only before then are among the spans; undefined where all are. */
  alertsSince?: number | undefined;
  /** The moment that the chart was opened for. */
  mark?: Mark | undefined;
  /** An event of the device itself, over the whole height. */
  band?: AlertSpan | undefined;
  /** Times of the readings whose value holds until the next one. */
  held: ReadonlySet<number>;
  /** Windows without data. */
  gaps: Window[];
  /** Stretches marked by a hollow cap, for alerts that would not be raised. */
  caps?: Window[];
  /** Low: without the zoom slider, and without labels at the alerts. */
  isLow?: boolean;
  kind: LineKind;
  zone: Zone;
  /** Formats a value with its unit, as on the rest of the screen. */
  show: (value: number) => string;
}

/** Whether the axis includes the limits within one span of the data, all of them, or none. */
export type Limits = "near" | "all" | "none";

/** A moment on the time axis: that of an alert, or of a value. */
export interface Mark {
  time: number;
  alarmLogId: number | undefined;
}

/** The only reading of a line; undefined when there are none or more. */
export const onlyReading = ({ samples }: Pick<ChartModel, "samples">): [time: number, value: number] | undefined => {
  const found = samples.filter(([, value]) => value !== null);
  const [time, value] = found[0] ?? [];
  return found.length === 1 && time !== undefined && typeof value === "number" ? [time, value] : undefined;
};

/** The visible part of the range, in percent of it. */
export interface Zoom {
  start: number;
  end: number;
}

/** The initial zoom. (spec 1 §9) */
export const defaultZoom: Zoom = { start: 0, end: 15 };

/** The time window of a zoomed range. */
export const viewOf = ({ start, end }: Window, zoom: Zoom): Window => {
  const percent = (end - start) / 100;
  return { start: start + zoom.start * percent, end: start + zoom.end * percent };
};
