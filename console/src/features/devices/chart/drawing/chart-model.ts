import type { Zone } from "@telltale/contract/text/wall-clock";
import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { LineKind } from "../../../../domain/shown-value.ts";
import type { Sample, Window } from "./samples.ts";
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
  spans: AlertSpan[];
  /** Stretches marked by a hollow cap, for alerts that would not be raised. */
  caps?: Window[];
  /** Low: without the zoom slider, and without labels at the alerts. */
  isLow?: boolean;
  kind: LineKind;
  zone: Zone;
  /** Formats a value with its unit, as on the rest of the screen. */
  show: (value: number) => string;
}

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
