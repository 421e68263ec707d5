import type { DeviceDetail as Device, DeviceInfo } from "@telltale/contract/devices";
import { devices } from "@telltale/contract/devices";
import { type ReactNode, useState } from "react";
import { zoneOf } from "../../format/zone.ts";
import { useCall } from "../../session/use-call.ts";
import { EmptyState, ErrorState } from "../../ui/message.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ChannelDetail } from "./channel-detail.tsx";
import { chosenChannel } from "./channel-groups.ts";
import { ChannelList } from "./channel-list.tsx";
import classes from "./device-detail.module.css";
import { DeviceGeneral } from "./device-general.tsx";
import { DeviceMisc } from "./device-misc.tsx";
import { RangeSearch } from "./range-search.tsx";
import { type Address, useSearchRange } from "./use-address.ts";
import { useChannels } from "./use-channels.ts";

interface DeviceDetailProps {
  address: Address;
  /** What follows below, for the selected channel: its alerts. */
  children: (deviceChannelId: number) => ReactNode;
}

interface LoadedProps extends DeviceDetailProps {
  device: Device;
  info: DeviceInfo;
}

const Loaded = ({ device, info, address, children }: LoadedProps) => {
  const [tab, setTab] = useState("graphic");
  const search = useSearchRange();
  const { groups, error, retry } = useChannels(device);
  const zone = zoneOf(device.timeZoneId);
  const { range } = address;
  const channel = groups && chosenChannel(groups, address.deviceChannelId);
  // A channel or range starts afresh: nothing of the one before may stand under its name.
  const key = `${channel?.deviceChannelId} ${range?.start.getTime()} ${range?.end.getTime()}`;
  return (
    <>
      <PageTitle aside={<RangeSearch key={`${device.deviceId} ${key}`} {...{ range, zone }} onSearch={search} />}>
        <small>DEVICES /</small> {device.deviceSn}
      </PageTitle>
      <div className={classes.panels}>
        <DeviceGeneral device={device} zone={zone} />
        <DeviceMisc device={device} info={info} />
      </div>
      {error && <Panel>{<ErrorState error={error} onRetry={retry} />}</Panel>}
      {groups?.length === 0 && <Panel>{<EmptyState>This device has no channels</EmptyState>}</Panel>}
      {channel && (
        <>
          <div className={classes.columns}>
            <ChannelList groups={groups} chosen={channel.deviceChannelId} />
            <div className={classes.main}>
              <ChannelDetail key={key} {...{ device, channel, range, zone, tab }} onTab={setTab} />
            </div>
          </div>
          {children(channel.deviceChannelId)}
        </>
      )}
    </>
  );
};

/** A device, its channels and the readings of the selected one. (spec 1 §2) */
export const DeviceDetail = (props: DeviceDetailProps) => {
  const { deviceId } = props.address;
  const { data, error, refetch } = useCall(devices.detail, deviceId === undefined ? {} : { deviceId }, {
    placeholderData: undefined,
  });
  if (data) return <Loaded key={data.device.deviceId} {...props} device={data.device} info={data.deviceInfo} />;
  return (
    <>
      <PageTitle>
        <small>DEVICES /</small>
      </PageTitle>
      <Panel className={classes.waiting}>{error && <ErrorState error={error} onRetry={() => void refetch()} />}</Panel>
    </>
  );
};
