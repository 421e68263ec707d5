import { useQuery } from "@tanstack/react-query";
import { type ChannelRow, channels, type LogGroup } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { useMemo } from "react";
import { expectedStep } from "../../../domain/channel-settings.ts";
import { mergeParts, type Sample, samplesOf, type Window, withGaps } from "../../../domain/samples.ts";
import { client } from "../../../session/client.ts";
import { useInvalidate } from "../../../session/invalidate.ts";
import { keyOf, useCall } from "../../../session/use-call.ts";
import { useLiveReadings } from "../readings/use-live-readings.ts";

/** Most settings periods within the range that are drawn, the newest ones. */
const mostPeriods = 20;

interface Wanted {
  deviceChannelId: number;
  channelName: string;
  range: Window;
}

/** The readings of a channel in a time range, whatever its settings were. */
export interface Trend {
  channel: ChannelRow | undefined;
  /** The settings period in the middle of the range. */
  period: LogGroup | undefined;
  /** Undefined until loaded. */
  samples: Sample[] | undefined;
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

/** The lines of consecutive settings periods as one; undefined until they are loaded. */
const useLines = (periods: LogGroup[] | undefined, ends: { startTime: Date; endTime: Date }) => {
  const ids = periods?.map(({ logGroupId }) => logGroupId) ?? [];
  return useQuery({
    queryKey: [...keyOf(history.chart), "joined", ids, ends],
    queryFn: async ({ signal }) => {
      const charts = await Promise.all(ids.map((logId) => client(history.chart, { logId, ...ends }, signal)));
      return charts.flatMap(samplesOf).toSorted(([a], [b]) => a - b);
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
  const { channel, error: channelError } = useChannel(wanted);
  const ends = useMemo(() => ({ startTime: new Date(range.start), endTime: new Date(range.end) }), [range]);
  const periods = useCall(
    history.periods,
    { channelId: deviceChannelId, ...ends, size: mostPeriods },
    { placeholderData: undefined },
  );
  const lines = useLines(periods.data?.data, ends);
  const retry = () => invalidate([channels.value, history.periods, history.chart]);
  const live = useLiveReadings(deviceChannelId, retry);
  const middle = new Date((range.start + range.end) / 2);
  const period = periods.data?.data.find(({ startTime }) => startTime <= middle) ?? periods.data?.data[0];
  const expected = period ? expectedStep(period) : 0;
  const samples = useMemo(() => {
    if (!lines.data) return undefined;
    const fresh = live.readings.filter(({ time }) => time <= range.end).map(({ time, value }): Sample => [time, value]);
    return mergeParts({ overview: withGaps(lines.data, expected), live: fresh }, expected);
  }, [lines.data, live.readings, range, expected]);
  return { channel, period, samples, error: channelError ?? periods.error ?? (lines.data ? null : lines.error), retry };
};
