import { type ChannelGroup, type DeviceChannel, ReadingStatus } from "@telltale/contract/domains/channels";
import { useId, useLayoutEffect, useRef } from "react";
import { ChannelIcon } from "../../../domain/channel-icon.tsx";
import { isOverdue } from "../../../domain/overdue.ts";
import { shownValue } from "../../../domain/shown-value.ts";
import { isNoData } from "../../../domain/value.ts";
import { useIsLost } from "../../../session/live/live.ts";
import type { LiveValues } from "../../../session/live/live-values.ts";
import { LiveValuesContext, useReading } from "../../../session/live/use-live-values.ts";
import { useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { Panel } from "../../../ui/page/panel.tsx";
import type { Search } from "../../../ui/router/address.ts";
import { Link } from "../../../ui/router/link.tsx";
import { serverTimeAt } from "../../../ui/server-time.ts";
import { Glyph, type GlyphName } from "../../../ui/status/glyph.tsx";
import { useNow } from "../../../ui/use-now.ts";
import classes from "./channel-list.module.css";

type State = "alarm" | "confirmed" | "none" | "overdue" | "normal";

/** A normal value needs no sign. */
const signs: Record<State, { glyph: GlyphName; words: string } | undefined> = {
  alarm: { glyph: "diamond-solid-bang", words: "alert" },
  confirmed: { glyph: "diamond-open-bang", words: "alert, confirmed" },
  none: { glyph: "hatch", words: "no data" },
  overdue: { glyph: "clock", words: "not reported for longer than usual" },
  normal: undefined,
};

const Sign = ({ state }: { state: State }) => {
  const sign = signs[state];
  if (!sign) return <i className={classes.sign} />;
  return (
    <span className={classes.sign} title={sign.words}>
      <Glyph name={sign.glyph} size={state === "none" ? 12 : 14} />
      <span className={classes.spoken}>{sign.words}</span>
    </span>
  );
};

interface ChannelProps {
  channel: DeviceChannel;
  isChosen: boolean;
  isUnconfirmed: boolean;
  /** By the server's clock. */
  now: number;
}

const Channel = ({ channel, isChosen, isUnconfirmed, now }: ChannelProps) => {
  const id = useId();
  const { value, status, updateTime } = useReading(channel);
  const stateOf = (): State => {
    if (isNoData({ value, status })) return "none";
    if (status === ReadingStatus.alarm) return isUnconfirmed ? "alarm" : "confirmed";
    return updateTime && isOverdue(updateTime, channel.reportWithin, now) ? "overdue" : "normal";
  };
  const state = stateOf();
  const { text, unit } = shownValue(channel, { value, status, unit: channel.unit });
  return (
    <li className={classes.channel} data-state={state}>
      <ChannelIcon analogId={channel.channelAnalogId} size={17} />
      <Link
        to="."
        search={(old: Search) => ({ ...old, deviceChannelId: channel.deviceChannelId })}
        resetScroll={false}
        className={classes.name}
        aria-current={isChosen ? "true" : undefined}
        aria-describedby={id}
      >
        {channel.channelName}
      </Link>
      <span id={id} className={classes.reading}>
        <span className={classes.value}>
          {text}
          {unit && <small> {unit}</small>}
        </span>
        <Sign state={state} />
      </span>
    </li>
  );
};

/** By how much `useNow` is behind, in milliseconds, since when the answer arrived at `loadedAt`: it is right to a few seconds only. */
const behindOf = (groups: readonly ChannelGroup[], loadedAt: number): number => {
  const known = groups.flatMap(({ channels }) => channels).find(({ updateTime }) => updateTime !== null);
  return known?.updateTime && known.age !== null ? known.updateTime.getTime() + known.age - serverTimeAt(loadedAt) : 0;
};

interface ChannelListProps {
  groups: ChannelGroup[];
  chosen: number | undefined;
  live: LiveValues;
  /** When the channels were loaded, epoch milliseconds. */
  loadedAt: number;
}

/** Scrolls the selected channel into view when the screen opens, without moving the page. */
const useScrollIntoView = () => {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    const row = current?.querySelector<HTMLElement>("li:has([aria-current])");
    if (current && row && row.offsetTop + row.offsetHeight > current.clientHeight) {
      current.scrollTop = row.offsetTop - current.clientHeight / 2;
    }
  }, []);
  return list;
};

/** The channels of a device by group, with their values; the address holds the selected one. */
export const ChannelList = ({ groups, chosen, live, loadedAt }: ChannelListProps) => {
  const now = useNow(0) + behindOf(groups, loadedAt);
  const { alerts, isPending, isUnknown } = useUnconfirmed();
  const unconfirmed = new Set(alerts.map(({ deviceChannelId }) => deviceChannelId));
  return (
    <Panel className={classes.panel}>
      <nav
        ref={useScrollIntoView()}
        className={classes.list}
        aria-label="Channels"
        data-lost={useIsLost() || undefined}
      >
        <h2 className={classes.spoken}>Channels</h2>
        <LiveValuesContext value={live}>
          {groups.map(({ name, channels }) => (
            <div key={name} className={classes.group}>
              <h3>{name}</h3>
              <ul>
                {channels.map((channel) => (
                  <Channel
                    key={channel.deviceChannelId}
                    {...{ channel, now }}
                    isChosen={channel.deviceChannelId === chosen}
                    isUnconfirmed={isPending || isUnknown || unconfirmed.has(channel.deviceChannelId)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </LiveValuesContext>
      </nav>
    </Panel>
  );
};
