import type { ChannelRow, LogGroup } from "@telltale/contract/channels";
import type { DeviceDetail } from "@telltale/contract/devices";
import { history } from "@telltale/contract/history";
import { detailPageSize } from "@telltale/contract/paging";
import { useState } from "react";
import type { Zone } from "../../format/zone.ts";
import { usePages } from "../../table/use-pages.ts";
import { EmptyState, ErrorState } from "../../ui/message.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./channel-detail.module.css";
import { CurrentValue } from "./current-value.tsx";
import { PeriodSettings } from "./period-settings.tsx";
import { PeriodSlots } from "./period-slots.tsx";
import type { Range } from "./range.ts";
import { ReadingsPanel } from "./readings-panel.tsx";
import { StillReadings } from "./still-readings.tsx";

interface ChannelDetailProps {
  device: DeviceDetail;
  channel: ChannelRow;
  range: Range | undefined;
  zone: Zone;
  tab: string;
  onTab: (tab: string) => void;
  /** Hears which period was chosen. */
  onPeriod: (period: LogGroup) => void;
}

/** The settings periods of a channel within the range, newest first, and the chosen one: the newest unless another was chosen. */
const usePeriods = ({ channel: { deviceChannelId }, range, onPeriod }: ChannelDetailProps) => {
  const pages = usePages(
    history.periods,
    { channelId: deviceChannelId, ...(range ? { startTime: range.start, endTime: range.end } : {}) },
    { size: detailPageSize },
  );
  const [logGroupId, setChosen] = useState<number>();
  const chosen = pages.rows?.find((period) => period.logGroupId === logGroupId) ?? pages.rows?.[0];
  const choose = (period: LogGroup) => {
    setChosen(period.logGroupId);
    onPeriod(period);
  };
  const earlier = chosen && pages.rows?.[pages.rows.indexOf(chosen) + 1];
  return { pages, chosen, choose, onEarlier: earlier && (() => choose(earlier)) };
};

type Periods = ReturnType<typeof usePeriods>;

interface PeriodsPartProps extends Pick<ChannelDetailProps, "device" | "channel" | "zone"> {
  periods: Periods;
}

const PeriodsPart = ({ periods, device, channel, zone }: PeriodsPartProps) => {
  const { pages, chosen, choose } = periods;
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.refetch} />;
  if (!pages.rows) return <div className={classes.waiting} />;
  if (!chosen) return <EmptyState>No settings period in this range</EmptyState>;
  return (
    <>
      <PeriodSlots periods={pages.rows} chosen={chosen} zone={zone} onChoose={choose} onMore={pages.more} />
      <PeriodSettings channel={channel} deviceId={device.deviceId} period={chosen} />
    </>
  );
};

/** One channel of the device: its value now, its settings periods, its readings. */
export const ChannelDetail = (props: ChannelDetailProps) => {
  const { device, channel, zone } = props;
  const periods = usePeriods(props);
  const { chosen, pages, onEarlier } = periods;
  return (
    <>
      <Panel className={classes.now}>
        <CurrentValue channel={channel} zone={zone} />
        <div className={classes.periods}>
          <PeriodsPart {...{ periods, device, channel, zone }} />
        </div>
      </Panel>
      {chosen && <ReadingsPanel key={chosen.logGroupId} {...props} period={chosen} onEarlier={onEarlier} />}
      {pages.isPending && <StillReadings />}
    </>
  );
};
