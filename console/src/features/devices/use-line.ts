import { useDebouncedValue } from "@mantine/hooks";
import { history } from "@telltale/contract/history";
import { useMemo, useState } from "react";
import { useCall } from "../../session/use-call.ts";
import { firstZoom, viewOf, type Zoom } from "./chart/picture.ts";
import { joined, type Sample, samplesOf, type Window, withGaps } from "./chart/samples.ts";
import { coveredBy } from "./range.ts";
import { expectedStep } from "./settings.ts";
import type { Readings } from "./use-readings.ts";

/** Wait after a zoom before finer readings are asked for, in milliseconds. */
const pause = 250;
/** A view of more than this share of the range gains nothing from finer readings. */
const coarse = 0.7;

/** The view with a margin at both sides, so that a small move needs no new readings. */
const around = ({ start, end }: Window, range: Window): { startTime: Date; endTime: Date } => {
  const margin = (end - start) / 4;
  return {
    startTime: new Date(Math.max(range.start, Math.floor(start - margin))),
    endTime: new Date(Math.min(range.end, Math.ceil(end + margin))),
  };
};

const useOverview = ({ period, shown }: Readings, timeZoneId: string) =>
  useCall(history.chart, {
    logId: period.logGroupId,
    timeZoneId,
    startTime: new Date(shown.start),
    ...(shown.isLive ? {} : { endTime: new Date(shown.end) }),
  });

const useDetail = ({ period }: Readings, covered: Window, timeZoneId: string, zoom: Zoom | undefined) => {
  const window = around(viewOf(covered, zoom ?? firstZoom), covered);
  const { data } = useCall(
    history.chart,
    { logId: period.logGroupId, timeZoneId, ...window },
    { enabled: zoom !== undefined },
  );
  return zoom && data;
};

/** A channel's line: loaded once for the whole range, finer for what is zoomed in on, continued by what comes in live. */
export const useLine = (readings: Readings, timeZoneId: string) => {
  const { period, shown, live } = readings;
  const [zoom, setZoom] = useState(firstZoom);
  const [settled] = useDebouncedValue(zoom, pause);
  const overview = useOverview(readings, timeZoneId);
  const isThinned = overview.data !== undefined && overview.data.count > overview.data.dataXs.length;
  const isClose = settled.end - settled.start < coarse * 100;
  const expected = expectedStep(period);
  const whole = useMemo(() => overview.data && withGaps(samplesOf(overview.data), expected), [overview.data, expected]);
  const covered = useMemo(() => coveredBy(shown, whole), [shown, whole]);
  const detail = useDetail(readings, covered, timeZoneId, isThinned && isClose ? settled : undefined);
  const fine = useMemo(() => detail && withGaps(samplesOf(detail), expected), [detail, expected]);
  const samples = useMemo(() => {
    const fresh = live.map(({ time, value }): Sample => [time, value]);
    return whole && joined({ overview: whole, detail: fine, live: fresh }, expected);
  }, [whole, fine, live, expected]);
  const range = useMemo(
    () => ({ ...covered, end: Math.max(covered.end, shown.isLive ? (samples?.at(-1)?.[0] ?? 0) : 0) }),
    [covered, shown, samples],
  );
  return { samples, range, zoom, setZoom, error: overview.error, retry: () => void overview.refetch() };
};
