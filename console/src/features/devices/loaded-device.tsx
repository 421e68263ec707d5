import type { ChannelGroup, ChannelRow } from "@telltale/contract/channels";
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
import type { Range } from "./range.ts";
import { RangeSearch } from "./range-search.tsx";
import { StillReadings, StillValue } from "./still-readings.tsx";
import { type Address, useSearchRange } from "./use-address.ts";
import { useChannels } from "./use-channels.ts";

interface ChannelsProps {
  device: DeviceDetail;
  groups: ChannelGroup[];
  channel: ChannelRow;
  range: Range | undefined;
  zone: Zone;
}

const rangeKey = (range: Range | undefined): string => (range ? `${range.start.getTime()}-${range.end.getTime()}` : "");

const Channels = ({ device, groups, channel, range, zone }: ChannelsProps) => {
  const [tab, setTab] = useState("graphic");
  return (
    <Columns list={<ChannelList groups={groups} chosen={channel.deviceChannelId} />}>
      <ChannelDetail
        // A channel or range starts afresh: nothing of the one before may stand under its name.
        key={`${channel.deviceChannelId} ${rangeKey(range)}`}
        {...{ device, channel, range, zone, tab }}
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

const ChannelsPart = ({ device, address, children }: Omit<LoadedDeviceProps, "info" | "onPay">) => {
  const { groups, error, retry } = useChannels(device);
  const channel = groups && chosenChannel(groups, address.deviceChannelId);
  if (channel) {
    return (
      <>
        <Channels {...{ device, groups, channel }} range={address.range} zone={zoneOf(device.timeZoneId)} />
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

/** The screen of a device that is loaded. */
export const LoadedDevice = ({ device, info, address, onPay, children }: LoadedDeviceProps) => {
  const search = useSearchRange();
  const zone = zoneOf(device.timeZoneId);
  const { range } = address;
  return (
    <>
      <PageTitle aside={<RangeSearch key={rangeKey(range)} range={range} zone={zone} onSearch={search} />}>
        <small>
          <DeviceListLink /> /
        </small>{" "}
        {device.deviceSn}
      </PageTitle>
      <Heads>
        <DeviceGeneral device={device} intervals={info.reportIntervals} zone={zone} onPay={onPay} />
        <DeviceMisc device={device} info={info} />
      </Heads>
      <ChannelsPart device={device} address={address}>
        {children}
      </ChannelsPart>
    </>
  );
};
