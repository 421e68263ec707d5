import { Tabs } from "@mantine/core";
import { channelTypes } from "@telltale/contract/channel-types/index";
import { type ChannelInfo, type ChannelType, channels } from "@telltale/contract/domains/channels";
import { useState } from "react";
import { ChannelIcon } from "../../../domain/channel-icon.tsx";
import { useCall } from "../../../session/use-call.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Link } from "../../../ui/router/link.tsx";
import tabs from "../../../ui/tabs.module.css";
import { Term, Terms } from "../../../ui/terms.tsx";
import classes from "./channel-settings.module.css";

interface ChannelProps {
  channel: ChannelInfo;
  deviceId: number;
}

const Channel = ({ channel, deviceId }: ChannelProps) => {
  const { deviceChannelId, channelName, channelCn, channelAnalogId, channelSwitch, settings } = channel;
  return (
    <section className={classes.channel} aria-label={channelName}>
      <div className={classes.name}>
        <ChannelIcon analogId={channelAnalogId} size={17} />
        <Link to="/devicesDetail" search={{ deviceId, deviceChannelId }}>
          {channelName}
        </Link>
        <small>{channelSwitch ? channelCn : `${channelCn}, OFF`}</small>
      </div>
      <Terms>
        {settings.map(({ name, nameVal }) => (
          <Term key={name} name={name}>
            {nameVal}
          </Term>
        ))}
      </Terms>
    </section>
  );
};

interface TypesProps {
  types: [ChannelType, ChannelInfo[]][];
  deviceId: number;
}

const Types = ({ types, deviceId }: TypesProps) => {
  const [chosen, choose] = useState<string | null>(null);
  return (
    <Tabs
      value={chosen ?? String(types[0]?.[0])}
      onChange={choose}
      keepMounted={false}
      classNames={{ ...tabs, list: `${tabs.list} ${classes.tabs}` }}
    >
      <Tabs.List aria-label="Channel types">
        {types.map(([type]) => (
          <Tabs.Tab key={type} value={String(type)}>
            {channelTypes[type].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {types.map(([type, members]) => (
        <Tabs.Panel key={type} value={String(type)}>
          {members.map((channel) => (
            <Channel key={channel.deviceChannelId} {...{ channel, deviceId }} />
          ))}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};

/** A device's channels by type, each with its current settings. (spec 2 §2) */
export const ChannelSettings = ({ deviceId }: { deviceId: number }) => {
  const { data, error, refetch } = useCall(channels.info, { deviceId }, { placeholderData: undefined });
  return (
    <Panel className={classes.panel}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState>This device has no channels</EmptyState>}
      {data && data.length > 0 && (
        <Types types={[...Map.groupBy(data, ({ channelType }) => channelType)]} deviceId={deviceId} />
      )}
    </Panel>
  );
};
