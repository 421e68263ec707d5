import { Link } from "@tanstack/react-router";
import type { ChannelGroup, ChannelRow } from "@telltale/contract/channels";
import { ChannelIcon } from "../../format/channel-icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./channel-list.module.css";

interface ChannelLinkProps {
  channel: ChannelRow;
  isChosen: boolean;
}

const ChannelLink = ({ channel, isChosen }: ChannelLinkProps) => (
  <Link
    to="."
    search={((old: object) => ({ ...old, deviceChannelId: channel.deviceChannelId })) as never}
    resetScroll={false}
    className={classes.channel}
    aria-current={isChosen ? "true" : undefined}
    activeProps={{}}
  >
    <ChannelIcon analogId={channel.channelAnalogId} size={17} />
    <span>{channel.channelName}</span>
  </Link>
);

interface ChannelListProps {
  groups: ChannelGroup[];
  chosen: number | undefined;
}

/** The channels of a device by group; the chosen one stands in the address. */
export const ChannelList = ({ groups, chosen }: ChannelListProps) => (
  <Panel className={classes.panel}>
    <nav aria-label="Channels">
      {groups.map(({ name, channels }) => (
        <div key={name} className={classes.group}>
          <h3>{name}</h3>
          <ul>
            {channels.map((channel) => (
              <li key={channel.deviceChannelId}>
                <ChannelLink channel={channel} isChosen={channel.deviceChannelId === chosen} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  </Panel>
);
