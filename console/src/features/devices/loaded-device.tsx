import type { ChannelGroup, ChannelRow, LogGroup } from "@telltale/contract/channels";
import type { DeviceDetail, DeviceInfo } from "@telltale/contract/devices";
import { type ReactNode, useState } from "react";
import { type Zone, zoneOf } from "../../format/zone.ts";
import { DeviceListLink } from "../../table/device-list-link.tsx";
import { EmptyState, ErrorState } from "../../ui/message.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ChannelDetail } from "./channel-detail.tsx";
import { ChannelList } from "./channel-list.tsx";
import { chosenChannel } from "./chosen-channel.ts";
import { Columns, Heads } from "./columns.tsx";
import { DeviceGeneral, type OnPay } from "./device-general.tsx";
import { DeviceMisc } from "./device-misc.tsx";
import { type Range, rangeOfSlot } from "./range.ts";
import { RangeSearch, type SlotRange } from "./range-search.tsx";
import { StillReadings, StillValue } from "./still-readings.tsx";
import { type Address, useSearchRange } from "./use-address.ts";
import { useChannels } from "./use-channels.ts";

interface ChannelsProps {
  device: DeviceDetail;
  groups: ChannelGroup[];
  channel: ChannelRow;
  range: Range | undefined;
  zone: Zone;
  onPeriod: (period: LogGroup) => void;
}

const rangeKey = (range: Range | undefined): string => (range ? `${range.start.getTime()}-${range.end.getTime()}` : "");

const Channels = ({ device, groups, channel, range, zone, onPeriod }: ChannelsProps) => {
  const [tab, setTab] = useState("graphic");
  return (
    <Columns list={<ChannelList groups={groups} chosen={channel.deviceChannelId} />}>
      <ChannelDetail
        // A channel or range starts afresh: nothing of the one before may stand under its name.
        key={`${channel.deviceChannelId} ${rangeKey(range)}`}
        {...{ device, channel, range, zone, tab, onPeriod }}
        onTab={setTab}
      />
    </Columns>
  );
};

interface LoadedDeviceProps {
  device: DeviceDetail;
  info: DeviceInfo;
  address: Address;
  onPay: OnPay;
  /** What follows below, for the selected channel. */
  children: (deviceChannelId: number) => ReactNode;
}

interface ChannelsPartProps extends Omit<LoadedDeviceProps, "info" | "onPay"> {
  onPeriod: (period: LogGroup) => void;
}

const ChannelsPart = ({ device, address, onPeriod, children }: ChannelsPartProps) => {
  const { groups, error, retry } = useChannels(device);
  const channel = groups && chosenChannel(groups, address.deviceChannelId);
  if (channel) {
    return (
      <>
        <Channels {...{ device, groups, channel, onPeriod }} range={address.range} zone={zoneOf(device.timeZoneId)} />
        {children(channel.deviceChannelId)}
      </>
    );
  }
  if (!groups && !error) {
    return (
      <Columns list={<Panel>{null}</Panel>}>
        <StillValue />
        <StillReadings />
      </Columns>
    );
  }
  return (
    <Panel>
      {error ? <ErrorState error={error} onRetry={retry} /> : <EmptyState>This device has no channels</EmptyState>}
    </Panel>
  );
};

/** What the search field says of the chosen settings period, until another channel or range is looked at. */
const useSlot = ({ deviceChannelId, range }: Address) => {
  const of = `${deviceChannelId} ${rangeKey(range)}`;
  const [chosen, setChosen] = useState<{ of: string; slot: SlotRange }>();
  const onPeriod = (period: LogGroup) => {
    const isLatest = period.endTime === null && range === undefined;
    setChosen({ of, slot: { ...rangeOfSlot(period, range, Date.now()), isLatest } });
  };
  return { slot: chosen?.of === of ? chosen.slot : undefined, onPeriod };
};

/** The screen of a device that is loaded. */
export const LoadedDevice = ({ device, info, address, onPay, children }: LoadedDeviceProps) => {
  const search = useSearchRange();
  const zone = zoneOf(device.timeZoneId);
  const { range } = address;
  const { slot, onPeriod } = useSlot(address);
  const searchKey = `${rangeKey(range)} ${rangeKey(slot)}`;
  return (
    <>
      <PageTitle aside={<RangeSearch key={searchKey} {...{ range, slot, zone }} onSearch={search} />}>
        <small>
          <DeviceListLink /> /
        </small>{" "}
        {device.deviceSn}
      </PageTitle>
      <Heads>
        <DeviceGeneral device={device} intervals={info.reportIntervals} zone={zone} onPay={onPay} />
        <DeviceMisc device={device} info={info} />
      </Heads>
      <ChannelsPart {...{ device, address, onPeriod }}>{children}</ChannelsPart>
    </>
  );
};
