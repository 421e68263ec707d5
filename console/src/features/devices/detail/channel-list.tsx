import type { ChannelGroup, ChannelRow } from "@telltale/contract/domains/channels";
import { useLayoutEffect, useRef } from "react";
import { ChannelIcon } from "../../../domain/channel-icon.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import type { Search } from "../../../ui/router/address.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./channel-list.module.css";

interface ChannelLinkProps {
  channel: ChannelRow;
  isChosen: boolean;
}

const ChannelLink = ({ channel, isChosen }: ChannelLinkProps) => (
  <Link
    to="."
    search={(old: Search) => ({ ...old, deviceChannelId: channel.deviceChannelId })}
    resetScroll={false}
    className={classes.channel}
    aria-current={isChosen ? "true" : undefined}
  >
    <ChannelIcon analogId={channel.channelAnalogId} size={17} />
    <span>{channel.channelName}</span>
  </Link>
);

interface ChannelListProps {
  groups: ChannelGroup[];
  chosen: number | undefined;
}

/** Scrolls the selected channel into view when the screen opens, without moving the page. */
const useScrollIntoView = () => {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    const link = current?.querySelector<HTMLElement>("[aria-current]");
    if (current && link && link.offsetTop + link.offsetHeight > current.clientHeight) {
      current.scrollTop = link.offsetTop - current.clientHeight / 2;
    }
  }, []);
  return list;
};

/** The channels of a device by group; the address holds the selected one. */
export const ChannelList = ({ groups, chosen }: ChannelListProps) => (
  <Panel className={classes.panel}>
    <nav ref={useScrollIntoView()} className={classes.list} aria-label="Channels">
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
