import { type ChannelGroup, type ChannelRow, channels } from "@telltale/contract/domains/channels";
import { type DeviceDetail, type DeviceInfo, devices, Model } from "@telltale/contract/domains/devices";
import { storage } from "@telltale/contract/domains/readings/storage";
import { LiveCommand } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useState } from "react";
import { DeviceListLink } from "../../../domain/devices/device-links.tsx";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useCall } from "../../../session/use-call.ts";
import { PageZone } from "../../../ui/format/time.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { CurrentValueSkeleton, ReadingsSkeleton } from "../readings/readings-skeleton.tsx";
import { type View, viewKey } from "../readings/view.ts";
import type { Address } from "../trend/use-address.ts";
import { useZoneChoice, ZoneSwitch } from "../trend/zone-switch.tsx";
import { ChannelDetail } from "./channel-detail.tsx";
import { ChannelList } from "./channel-list.tsx";
import { Columns, Heads } from "./columns.tsx";
import { DeviceGeneral, type OnPay } from "./device-general.tsx";
import { DeviceMisc } from "./device-misc.tsx";

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
  view: View;
  zone: Zone;
}

const Channels = ({ device, groups, channel, view, zone }: ChannelsProps) => {
  const [tab, setTab] = useState("graphic");
  return (
    <Columns list={<ChannelList groups={groups} chosen={channel.deviceChannelId} />}>
      <ChannelDetail
        // A new channel or view remounts: no state of the previous one may be shown under its name.
        key={`${channel.deviceChannelId} ${viewKey(view)}`}
        {...{ device, channel, view, zone, tab }}
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

type ChannelsPartProps = Pick<LoadedDeviceProps, "device" | "address" | "children"> & { zone: Zone };

const ChannelsPart = ({ device, address, zone, children }: ChannelsPartProps) => {
  const { groups, error, retry } = useChannels(device);
  const channel = groups && chosenChannel(groups, address.deviceChannelId);
  if (channel) {
    return (
      <>
        <Channels {...{ device, groups, channel, zone }} view={address.view} />
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

/** The screen of a loaded device; all its times are in one zone, which its head names. */
export const LoadedDevice = ({ device, info, address, onPay, actions, children }: LoadedDeviceProps) => {
  const choice = useZoneChoice(device.timeZoneId);
  const { zone } = choice;
  return (
    <PageZone value={zone}>
      <PageTitle aside={<ZoneSwitch {...choice} />}>
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
      <ChannelsPart {...{ device, address, zone }}>{children}</ChannelsPart>
    </PageZone>
  );
};
