import { detailPageSize } from "@telltale/contract/call/paging";
import { type ChannelRow, ChannelType, type LogGroup } from "@telltale/contract/domains/channels";
import type { DeviceDetail } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { useMemo, useState } from "react";
import { key } from "../../../domain/channel-settings.ts";
import type { Window } from "../../../domain/samples.ts";
import { usePages } from "../../../table/use-pages.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { serverNow } from "../../../ui/server-time.ts";
import { Term, Terms } from "../../../ui/terms.tsx";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { rangeOfSlot } from "../readings/range.ts";
import { ReadingsPanel } from "../readings/readings-panel.tsx";
import { ReadingsSkeleton } from "../readings/readings-skeleton.tsx";
import type { View } from "../readings/view.ts";
import type { SlotRange } from "../trend/range-search.tsx";
import { TrendBar } from "../trend/trend-bar.tsx";
import classes from "./channel-detail.module.css";
import { CurrentValue } from "./current-value.tsx";
import { OutputSources } from "./output-sources.tsx";
import { PeriodSlots } from "./period-slots.tsx";

interface PeriodSettingsProps {
  channel: ChannelRow;
  deviceId: number;
  period: LogGroup;
}

/** The settings of a period; a digital output's link to its possible sources. (spec 1 §2) */
const PeriodSettings = ({ channel, deviceId, period }: PeriodSettingsProps) => {
  const isOutput = channel.channelType === ChannelType.digitalOutput;
  return (
    <Terms>
      {period.channelSettingChangeDto.map(({ name, nameVal }) => {
        const isSource = isOutput && name === key.source;
        return (
          <Term key={name} name={name} isWide={isSource}>
            {nameVal}
            {isSource && <OutputSources deviceId={deviceId} chosen={nameVal} />}
          </Term>
        );
      })}
    </Terms>
  );
};

interface ChannelDetailProps {
  device: DeviceDetail;
  channel: ChannelRow;
  view: View;
  zone: Zone;
  tab: string;
  onTab: (tab: string) => void;
}

/** A settings period that was selected by hand, with its range for the search field. */
interface Chosen {
  logGroupId: number;
  slot: SlotRange;
}

/** The period that was current at the moment which the chart was opened for, otherwise the newest. */
const openingPeriod = (rows: LogGroup[] | undefined, { moment }: View): LogGroup | undefined =>
  (moment && rows?.find(({ startTime }) => startTime <= moment.at)) ?? rows?.[0];

/** The settings periods of a channel within the range, newest first, and the selected one. */
const usePeriods = ({ channel: { deviceChannelId }, view }: ChannelDetailProps) => {
  const { range } = view;
  const pages = usePages(
    history.periods,
    { channelId: deviceChannelId, ...(range ? { startTime: range.start, endTime: range.end } : {}) },
    { size: detailPageSize },
  );
  const [byHand, setByHand] = useState<Chosen>();
  const chosen =
    pages.rows?.find((period) => period.logGroupId === byHand?.logGroupId) ?? openingPeriod(pages.rows, view);
  const choose = (period: LogGroup) => {
    const isLatest = period.endTime === null && range === undefined;
    const slot = { ...rangeOfSlot(period, range, serverNow()), isLatest };
    setByHand({ logGroupId: period.logGroupId, slot });
  };
  const earlier = chosen && pages.rows?.[pages.rows.indexOf(chosen) + 1];
  return {
    pages,
    chosen,
    choose,
    slot: byHand?.slot,
    letGo: () => setByHand(undefined),
    onEarlier: earlier && (() => choose(earlier)),
  };
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

/** One channel of the device: its current value, settings periods and readings. */
export const ChannelDetail = (props: ChannelDetailProps) => {
  const { device, channel, zone } = props;
  const isPhone = useIsPhone();
  const periods = usePeriods(props);
  const { chosen, pages, slot, letGo, onEarlier } = periods;
  // A settings period that is selected by hand is shown instead of the window.
  const shown = useMemo(
    (): View => (slot ? { range: props.view.range, span: undefined, moment: undefined } : props.view),
    [slot, props.view],
  );
  const bar = (window?: Window) => (
    <TrendBar
      view={shown}
      given={props.view}
      {...{ slot, window, zone }}
      isOnChart={chosen !== undefined}
      onLetGo={letGo}
    />
  );
  const settings = <PeriodsPart {...{ periods, device, channel, zone }} />;
  return (
    <>
      <Panel className={isPhone ? classes.first : classes.now}>
        <CurrentValue channel={channel} zone={zone} />
        {!isPhone && <div className={classes.periods}>{settings}</div>}
      </Panel>
      {chosen ? (
        <ReadingsPanel
          key={slot ? chosen.logGroupId : "window"}
          {...props}
          view={shown}
          bar={bar}
          period={chosen}
          onEarlier={onEarlier}
        />
      ) : pages.isPending ? (
        <ReadingsSkeleton />
      ) : (
        <Panel>
          {bar()}
          {!pages.error && <EmptyState>No readings in this range</EmptyState>}
        </Panel>
      )}
      {isPhone && (
        <Panel className={classes.last}>
          <div className={classes.periods}>{settings}</div>
        </Panel>
      )}
    </>
  );
};
