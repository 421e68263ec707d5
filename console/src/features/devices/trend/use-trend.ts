import { useQuery } from "@tanstack/react-query";
import { type ChannelRow, channels, type LogGroup } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { useMemo } from "react";
import { isThinnedLine, mergeParts, type Sample, samplesOf, type Window, withGaps } from "../../../domain/samples.ts";
import { pacesOf } from "../../../domain/settings-periods.ts";
import { channelThen } from "../../../domain/shown-value.ts";
import { client } from "../../../session/client.ts";
import { useInvalidate } from "../../../session/invalidate.ts";
import { keyOf, useCall } from "../../../session/use-call.ts";
import { useLiveReadings } from "../readings/use-live-readings.ts";

/** Most settings periods within the range that are drawn, the newest ones: each is a call. */
const mostPeriods = 20;

interface Wanted {
  deviceChannelId: number;
  channelName: string;
  range: Window;
  /** The moment whose settings count, epoch milliseconds: readings in another unit are left out. */
  at: number;
}

/** The readings of a channel in a time range, across changes of its settings as long as its unit was the same. */
export interface Trend {
  channel: ChannelRow | undefined;
  /** The settings periods in which the readings were taken, oldest first. */
  periods: LogGroup[];
  /** Undefined until loaded. */
  samples: Sample[] | undefined;
  /** There are more readings than samples. */
  isThinned: boolean;
  error: Error | null;
  retry: () => void;
}

const useChannel = ({ deviceChannelId, channelName }: Wanted) => {
  const { data, error } = useCall(channels.value, { deviceChannelId }, { placeholderData: undefined });
  const channel = useMemo(
    (): ChannelRow | undefined =>
      data && {
        deviceChannelId,
        channelName,
        // Registers without a code are formatted by their name.
        channelCn: "",
        channelType: data.channelType,
        channelAnalogId: data.channelAnalogId,
        unit: data.unit,
        channelSwitch: 1,
      },
    [data, deviceChannelId, channelName],
  );
  return { channel, error };
};

interface Joined {
  /** Undefined until they are loaded. */
  periods: LogGroup[] | undefined;
  /** The one whose unit the line has. */
  period: LogGroup | undefined;
}

/** The lines of consecutive settings periods as one; undefined until they are loaded. */
const useLines = ({ periods, period }: Joined, ends: { startTime: Date; endTime: Date }) => {
  const ids = periods?.map(({ logGroupId }) => logGroupId) ?? [];
  const main = ids.indexOf(period?.logGroupId ?? 0);
  return useQuery({
    queryKey: [...keyOf(history.chart), "joined", ids, main, ends],
    queryFn: async ({ signal }) => {
      const charts = await Promise.all(ids.map((logId) => client(history.chart, { logId, ...ends }, signal)));
      const unit = charts[main]?.unit;
      const own = charts.filter((chart) => chart.unit === unit);
      return {
        unit,
        ids: ids.filter((_, at) => charts[at]?.unit === unit),
        samples: own.flatMap(samplesOf).toSorted(([a], [b]) => a - b),
        isThinned: own.some(isThinnedLine),
      };
    },
    enabled: periods !== undefined,
    staleTime: 0,
    placeholderData: undefined,
  });
};

/** Loads the readings of a channel in a range, continued by live ones. */
export const useTrend = (wanted: Wanted): Trend => {
  const { deviceChannelId, range } = wanted;
  const invalidate = useInvalidate();
  const { channel: now, error: channelError } = useChannel(wanted);
  const ends = useMemo(() => ({ startTime: new Date(range.start), endTime: new Date(range.end) }), [range]);
  const periods = useCall(
    history.periods,
    { channelId: deviceChannelId, ...ends, size: mostPeriods },
    { placeholderData: undefined },
  );
  const found = periods.data?.data;
  const period = found?.find(({ startTime }) => startTime.getTime() <= wanted.at) ?? found?.[0];
  const lines = useLines({ periods: found, period }, ends);
  const retry = () => invalidate([channels.value, history.periods, history.chart]);
  const live = useLiveReadings(deviceChannelId, () => {
    live.clear();
    retry();
  });
  const unit = lines.data?.unit;
  const inputMode = period?.inputMode ?? null;
  const channel = useMemo(() => now && channelThen(now, { unit, inputMode }), [now, unit, inputMode]);
  const own = lines.data?.ids;
  const inUnit = useMemo(
    () => (found ?? []).filter(({ logGroupId }) => own?.includes(logGroupId)).toReversed(),
    [found, own],
  );
  const samples = useMemo(() => {
    if (!lines.data) return undefined;
    const fresh = live.readings.filter(({ time }) => time <= range.end).map(({ time, value }): Sample => [time, value]);
    const paces = pacesOf(inUnit);
    return mergeParts({ overview: withGaps(lines.data.samples, paces), live: fresh }, paces);
  }, [lines.data, live.readings, range, inUnit]);
  return {
    channel,
    periods: inUnit,
    samples,
    isThinned: lines.data?.isThinned ?? false,
    error: channelError ?? periods.error ?? (lines.data ? null : lines.error),
    retry,
  };
};
