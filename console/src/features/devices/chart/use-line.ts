import { useDebouncedValue } from "@mantine/hooks";
import type { Chart } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { useMemo, useState } from "react";
import { heldTimes } from "../../../domain/held.ts";
import {
  isThinnedLine,
  longestSilence,
  mergeParts,
  type Sample,
  samplesOf,
  type Window,
  withGaps,
} from "../../../domain/samples.ts";
import { intervalsAt, pacesOf } from "../../../domain/settings-periods.ts";
import { lineKind } from "../../../domain/shown-value.ts";
import { useCall } from "../../../session/use-call.ts";
import type { Readings } from "../readings/use-readings.ts";
import { isOfChannel } from "../readings/view.ts";
import { defaultZoom, viewOf, type Zoom } from "./drawing/chart-model.ts";
import { initialZoom, type RequestedRange, timeAxisRange } from "./initial-zoom.ts";
import { gapsOf } from "./truth/gaps.ts";

/** Debounce after a zoom before detail readings are requested, in milliseconds. */
const pause = 250;
/** A view wider than this share of the range gains nothing from detail readings. */
const coarse = 0.7;

/** The view with a margin at both sides, so that a small pan needs no new readings. */
const around = ({ start, end }: Window, range: Window): { startTime: Date; endTime: Date } => {
  const margin = (end - start) / 4;
  return {
    startTime: new Date(Math.max(range.start, Math.floor(start - margin))),
    endTime: new Date(Math.min(range.end, Math.ceil(end + margin))),
  };
};

const useDetail = ({ source }: Readings, covered: Window, timeZoneId: string, zoom: Zoom | undefined) => {
  const window = around(viewOf(covered, zoom ?? defaultZoom), covered);
  const { data } = useCall(history.chart, { ...source, timeZoneId, ...window }, { enabled: zoom !== undefined });
  return zoom && data;
};

/** The samples between which the time says something about the device: of a thinned line none. */
const exactPart = (chart: Chart | undefined, samples: Sample[] = []): Sample[] =>
  chart && !isThinnedLine(chart) ? samples : [];

/** The zoom: the initial one, set with the first readings, until the user zooms. */
const useZoom = (samples: Sample[] | undefined, requested: RequestedRange) => {
  const [opening, setOpening] = useState<Zoom>();
  const [chosen, setZoom] = useState<Zoom>();
  const found = opening ?? (samples && initialZoom(samples, requested));
  if (found !== opening) setOpening(found);
  return { opening: found, zoom: chosen ?? found, setZoom };
};

/** A channel's line: the whole range loaded once, detail for the zoomed view, continued by live readings. */
export const useLine = (readings: Readings, timeZoneId: string) => {
  const { periods, view, shown, window, live, overview, error, refresh } = readings;
  const paces = useMemo(() => periods && pacesOf(periods), [periods]);
  const kind = lineKind(readings.channel);
  const requested = useMemo(
    (): RequestedRange => ({
      start: window?.start ?? overview?.from ?? 0,
      end: window?.end ?? overview?.to ?? 0,
      isExplicit: shown.isExplicit,
      isWhole: isOfChannel(view),
    }),
    [overview, window, shown, view],
  );
  const whole = useMemo(() => overview && paces && withGaps(samplesOf(overview), paces), [overview, paces]);
  const fresh = useMemo(() => live.map(({ time, value }): Sample => [time, value]), [live]);
  const rough = useMemo(
    () => whole && paces && mergeParts({ overview: whole, live: fresh }, paces),
    [whole, fresh, paces],
  );
  const { opening, zoom, setZoom } = useZoom(rough, requested);
  const [settled] = useDebouncedValue(zoom, pause);
  const isThinned = overview !== undefined && isThinnedLine(overview);
  const isClose = settled !== undefined && settled.end - settled.start < coarse * 100;
  const covered = useMemo(() => timeAxisRange(whole ?? [], requested, opening), [whole, requested, opening]);
  const detail = useDetail(readings, covered, timeZoneId, isThinned && isClose ? settled : undefined);
  const fine = useMemo(() => detail && paces && withGaps(samplesOf(detail), paces), [detail, paces]);
  const samples = useMemo(
    () => whole && paces && mergeParts({ overview: whole, detail: fine, live: fresh }, paces),
    [whole, fine, fresh, paces],
  );
  const range = useMemo(() => timeAxisRange(samples ?? [], requested, opening), [samples, requested, opening]);
  const last = samples?.findLast(([, value]) => value !== null)?.[0];
  /** Until when the readings are known. */
  const known = Math.max(overview?.to ?? 0, last ?? 0);
  const truth = useMemo(() => {
    const line = samples ?? [];
    const exact = kind === "slope" ? (isThinned ? exactPart(detail, fine) : line) : [];
    return {
      held: heldTimes(exact, intervalsAt(periods ?? [])),
      gaps: gapsOf(line, { range, known, longest: longestSilence(line, paces ?? []) }),
    };
  }, [samples, isThinned, detail, fine, kind, periods, paces, range, known]);
  const count = isThinned ? overview.count + fresh.length : undefined;
  return { samples, range, last, known, ...truth, count, zoom: zoom ?? defaultZoom, setZoom, error, retry: refresh };
};
