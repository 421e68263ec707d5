import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { LineKind } from "../../../../domain/shown-value.ts";
import type { Zone } from "../../../../ui/format/zone.ts";
import type { Sample, Window } from "./samples.ts";
import type { AlertSpan } from "./spans.ts";

/** Everything the chart shows, apart from how far it is zoomed and how it is coloured. */
export interface Picture {
  /** The channel's name. */
  name: string;
  unit: string;
  /** With an empty sample at each silence. */
  samples: Sample[];
  range: Window;
  thresholds: Threshold[];
  spans: AlertSpan[];
  kind: LineKind;
  zone: Zone;
  /** A value with its unit, as the rest of the screen shows it. */
  show: (value: number) => string;
}

/** The part of the range that is in view, in percent of it. */
export interface Zoom {
  start: number;
  end: number;
}

/** Where the chart begins. (spec 1 §9) */
export const firstZoom: Zoom = { start: 0, end: 15 };

/** The moments between which a zoomed range is seen. */
export const viewOf = ({ start, end }: Window, zoom: Zoom): Window => {
  const percent = (end - start) / 100;
  return { start: start + zoom.start * percent, end: start + zoom.end * percent };
};
