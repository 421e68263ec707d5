import { type ChannelGroup, type ChannelRow, channels, type LogGroup } from "@telltale/contract/domains/channels";
import { type DeviceDetail, type DeviceInfo, devices, Model } from "@telltale/contract/domains/devices";
import { storage } from "@telltale/contract/domains/readings/storage";
import { LiveCommand } from "@telltale/contract/live";
import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useState } from "react";
import { DeviceListLink } from "../../../domain/device-links.tsx";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useCall } from "../../../session/use-call.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { type Range, rangeOfSlot } from "../readings/range.ts";
import { CurrentValueSkeleton, ReadingsSkeleton } from "../readings/readings-skeleton.tsx";
import { ChannelDetail } from "./channel-detail.tsx";
import { ChannelList } from "./channel-list.tsx";
import { Columns, Heads } from "./columns.tsx";
import { DeviceGeneral, type OnPay } from "./device-general.tsx";
import { DeviceMisc } from "./device-misc.tsx";
import { RangeSearch, type SlotRange } from "./range-search.tsx";
import { type Address, useSearchRange } from "./use-address.ts";

/** The requested channel, or the first one. */
export const chosenChannel = (groups: ChannelGroup[], deviceChannelId: number | undefined): ChannelRow | undefined => {
  const all = groups.flatMap(({ channels }) => channels);
  return all.find((channel) => channel.deviceChannelId === deviceChannelId) ?? all[0];
};

export interface DeviceChannels {
  groups: ChannelGroup[] | undefined;
  error: Error | null;
  retry: () => void;
}

/** What another user's change of its settings, or its service, changes on the screen. */
const ofDevice = [devices.detail, storage.ofDevice, channels.grouped, channels.ofModbusDevice];

/** The channels of a device; a third-party modbus device has a single list, fetched by a call of its own. (spec 1 §2) */
const useChannels = ({ deviceId, typeId }: DeviceDetail): DeviceChannels => {
  const isModbus = typeId === Model.motorController;
  // Another device's channels must not be used as placeholder data.
  const own = { placeholderData: undefined };
  useLiveRefetch(
    ofDevice,
    [LiveCommand.dashboardChange],
    (change) => change.deviceId === undefined || change.deviceId === deviceId,
  );
  const grouped = useCall(channels.grouped, { deviceId }, { ...own, enabled: !isModbus });
  const registers = useCall(channels.ofModbusDevice, { deviceId, displayType: 1 }, { ...own, enabled: isModbus });
  const one = registers.data && [{ name: "CHANNEL", channels: registers.data }];
  return {
    groups: isModbus ? one : grouped.data,
    error: isModbus ? registers.error : grouped.error,
    retry: () => void (isModbus ? registers : grouped).refetch(),
  };
};

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
        // A new channel or range remounts: no state of the previous one may be shown under its name.
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
  /** More buttons of the device. */
  actions: (device: DeviceDetail) => ReactNode;
  /** Content below, for the selected channel. */
  children: (deviceChannelId: number) => ReactNode;
}

interface ChannelsPartProps extends Omit<LoadedDeviceProps, "info" | "onPay" | "actions"> {
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
        <CurrentValueSkeleton />
        <ReadingsSkeleton />
      </Columns>
    );
  }
  return (
    <Panel>
      {error ? <ErrorState error={error} onRetry={retry} /> : <EmptyState>This device has no channels</EmptyState>}
    </Panel>
  );
};

/** The range of the selected settings period for the search field, until another channel or range is opened. */
const useSlot = ({ deviceChannelId, range }: Address) => {
  const of = `${deviceChannelId} ${rangeKey(range)}`;
  const [chosen, setChosen] = useState<{ of: string; slot: SlotRange }>();
  const onPeriod = (period: LogGroup) => {
    const isLatest = period.endTime === null && range === undefined;
    setChosen({ of, slot: { ...rangeOfSlot(period, range, Date.now()), isLatest } });
  };
  return { slot: chosen?.of === of ? chosen.slot : undefined, onPeriod };
};

/** The screen of a loaded device. */
export const LoadedDevice = ({ device, info, address, onPay, actions, children }: LoadedDeviceProps) => {
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
        <DeviceGeneral device={device} intervals={info.reportIntervals} zone={zone} onPay={onPay}>
          {actions(device)}
        </DeviceGeneral>
        <DeviceMisc device={device} info={info} />
      </Heads>
      <ChannelsPart {...{ device, address, onPeriod }}>{children}</ChannelsPart>
    </>
  );
};
