import { alerts } from "@telltale/contract/alerts";
import type { ChannelRow, LogGroup } from "@telltale/contract/channels";
import { history } from "@telltale/contract/history";
import { useMemo, useState } from "react";
import { useOutdate } from "../../session/outdate.ts";
import { type Range, type Shown, shownOf } from "./range.ts";
import { type LiveReading, useLiveReadings } from "./use-live-readings.ts";

/** Which readings of a channel are shown, as a line and as a list. */
export interface Readings {
  channel: ChannelRow;
  period: LogGroup;
  shown: Shown;
  /** What came in since `shown` was worked out; empty when it does not reach to now. */
  live: LiveReading[];
  /** Loads everything again, up to now. */
  refresh: () => void;
}

/** The readings of a channel in a settings period, within the range of the search. */
export const useReadings = (channel: ChannelRow, period: LogGroup, range: Range | undefined): Readings => {
  const outdate = useOutdate();
  const [asOf, setAsOf] = useState(() => Date.now());
  const shown = useMemo(() => shownOf(period, range, asOf), [period, range, asOf]);
  const refresh = () => {
    live.clear();
    setAsOf(Date.now());
    outdate([history.chart, history.points, alerts.ofChannel]);
  };
  const live = useLiveReadings(channel.deviceChannelId, refresh);
  return { channel, period, shown, live: shown.isLive ? live.readings : [], refresh };
};
