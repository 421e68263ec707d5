import { type ChannelGroup, channels, type DeviceChannel } from "@telltale/contract/domains/channels";
import { type DeviceDetail, type DeviceInfo, devices, Model } from "@telltale/contract/domains/devices";
import { storage } from "@telltale/contract/domains/readings/storage";
import { LiveCommand } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useMemo, useState } from "react";
import { useZoneChoice, ZoneSwitch } from "../../../domain/devices/zone-switch.tsx";
import type { LiveValues } from "../../../session/live/live-values.ts";
import { LostLine } from "../../../session/live/lost-line.tsx";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useLiveValues } from "../../../session/live/use-live-values.ts";
import { useCall } from "../../../session/use-call.ts";
import { ZonedPage } from "../../../ui/format/page-zone.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { CurrentValueSkeleton, ReadingsSkeleton } from "../readings/readings-skeleton.tsx";
import { type View, viewKey } from "../readings/view.ts";
import type { Address } from "../trend/use-address.ts";
import { ChannelDetail } from "./channel-detail.tsx";
import { ChannelList } from "./channel-list.tsx";
import classes from "./columns.module.css";
import { Columns } from "./columns.tsx";
import { DeviceGeneral, type OnPay } from "./device-general.tsx";
import { DeviceTitle, type OnDownload } from "./device-title.tsx";

/** The requested channel, or the first one. */
export const chosenChannel = (
  groups: ChannelGroup[],
  deviceChannelId: number | undefined,
): DeviceChannel | undefined => {
  const all = groups.flatMap(({ channels }) => channels);
  return all.find((channel) => channel.deviceChannelId === deviceChannelId) ?? all[0];
};

interface DeviceChannels {
  groups: ChannelGroup[] | undefined;
  error: Error | null;
  retry: () => void;
  live: LiveValues;
  /** When they were loaded, epoch milliseconds. */
  loadedAt: number;
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
  const { error, refetch, isFetching, dataUpdatedAt } = isModbus ? registers : grouped;
  const live = useLiveValues(isFetching, dataUpdatedAt);
  const one = registers.data && [{ name: "CHANNEL", channels: registers.data }];
  return {
    groups: isModbus ? one : grouped.data,
    error,
    retry: () => void refetch(),
    live,
    loadedAt: dataUpdatedAt,
  };
};

interface ChannelsProps extends Pick<DeviceChannels, "live" | "loadedAt"> {
  device: DeviceDetail;
  groups: ChannelGroup[];
  channel: DeviceChannel;
  view: View;
  zone: Zone;
}

const Channels = ({ device, groups, channel, view, zone, live, loadedAt }: ChannelsProps) => {
  const [tab, setTab] = useState("graphic");
  return (
    <Columns list={<ChannelList {...{ groups, live, loadedAt }} chosen={channel.deviceChannelId} />}>
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
  onDownload: OnDownload;
  /** More buttons of the device. */
  actions: (device: DeviceDetail) => ReactNode;
  /** Content below, for the selected channel. */
  children: (deviceChannelId: number) => ReactNode;
}

type ChannelsPartProps = Pick<LoadedDeviceProps, "device" | "address" | "children"> & { zone: Zone };

/** The view of another channel than the one that was asked for: its time, without what happened to that one. */
const elsewhere = ({ range, span }: View): View => ({ range, span, moment: undefined });

const ChannelsPart = ({ device, address, zone, children }: ChannelsPartProps) => {
  const { groups, error, retry, ...loaded } = useChannels(device);
  const { deviceChannelId, view } = address;
  const channel = groups && chosenChannel(groups, deviceChannelId);
  const isOther = deviceChannelId !== undefined && channel?.deviceChannelId !== deviceChannelId;
  const shown = useMemo(() => (isOther ? elsewhere(view) : view), [isOther, view]);
  if (channel) {
    return (
      <>
        {isOther && (
          <p role="status" className={classes.notice}>
            The channel of this link is gone, or it is not one of this device. Shown is {channel.channelName}.
          </p>
        )}
        <Channels {...{ device, groups, channel, zone, ...loaded }} view={shown} />
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
export const LoadedDevice = (props: LoadedDeviceProps) => {
  const { device, info, address, onPay, onDownload, actions, children } = props;
  const choice = useZoneChoice(device.timeZoneId);
  const { zone } = choice;
  const isPhone = useIsPhone();
  const general = (
    <DeviceGeneral key="general" {...{ device, info, zone, onPay }} isOpenFirst={isPhone}>
      {actions(device)}
    </DeviceGeneral>
  );
  const readings = (
    <ChannelsPart key="readings" {...{ device, address, zone }}>
      {children}
    </ChannelsPart>
  );
  return (
    <ZonedPage zone={zone}>
      <DeviceTitle {...{ device, onDownload, isPhone }}>
        <ZoneSwitch {...choice} />
      </DeviceTitle>
      <LostLine />
      {/* With their keys they keep their state when a phone is turned. */}
      {isPhone ? [readings, <ZoneSwitch key="zone" {...choice} />, general] : [general, readings]}
    </ZonedPage>
  );
};
