import { useQueryClient } from "@tanstack/react-query";
import { type ChannelRow, type ChannelValue, channels, ReadingStatus } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { LiveCommand } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { ChannelIcon, channelLabel } from "../../../domain/channel-icon.tsx";
import { shownValue } from "../../../domain/shown-value.ts";
import { isNoData, isOn, isSwitch } from "../../../domain/value.ts";
import { useIsLost, useLive, useWatchedChannels } from "../../../session/live/live.ts";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { callQuery, useCall } from "../../../session/use-call.ts";
import flash from "../../../ui/flash.module.css";
import { Glyph } from "../../../ui/status/glyph.tsx";
import { Lamp } from "../../../ui/status/lamp.tsx";
import { useFlash } from "../../../ui/status/use-flash.ts";
import classes from "./current-value.module.css";

/** A channel's current value, live; undefined until known. (spec 1 §4) */
const useChannelValue = (deviceChannelId: number): ChannelValue | undefined => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(channels.value, { deviceChannelId });
  const { data } = useCall(channels.value, { deviceChannelId }, { placeholderData: undefined });

  useWatchedChannels([deviceChannelId]);
  useLive(LiveCommand.value, ({ deviceChannelId: id, value, status, updateTime }) => {
    if (id !== deviceChannelId) return;
    queries.setQueryData(queryKey, (old) => old && { ...old, value, status, updateTime: new Date(updateTime) });
  });
  useLiveRefetch(
    [channels.value, history.periods],
    [LiveCommand.dashboardChange],
    (change) => change.deviceChannelId === undefined || change.deviceChannelId === deviceChannelId,
  );
  return data;
};

type State = "normal" | "alarm" | "none";

const stateOf = ({ value, status }: ChannelValue): State => {
  if (isNoData({ value, status })) return "none";
  return status === ReadingStatus.alarm ? "alarm" : "normal";
};

const StateMark = ({ state }: { state: State }) => {
  if (state === "normal") return null;
  return (
    <span className={classes.state} data-state={state}>
      <Glyph name={state === "alarm" ? "diamond-solid-bang" : "hatch"} />
      {state === "alarm" ? "ALERT" : "NO DATA"}
    </span>
  );
};

interface FigureProps {
  channel: ChannelRow;
  current: ChannelValue;
}

/** The value with its unit, a lamp before ON or OFF; it flashes when it changes. */
const Figure = ({ channel, current }: FigureProps) => {
  const { text, unit } = shownValue(channel, current);
  const element = useFlash<HTMLSpanElement>(`${text} ${unit}`);
  const hasLamp = isSwitch(channel.channelAnalogId) && !isNoData(current);
  return (
    <span ref={element} className={flash.flash}>
      {hasLamp && <Lamp on={isOn(current.value ?? 0)} className={classes.lamp} />}
      {text} {unit && <small>{unit}</small>}
    </span>
  );
};

interface CurrentValueProps {
  channel: ChannelRow;
  zone: Zone;
}

/** The selected channel's current value. (spec 1 §2) */
export const CurrentValue = ({ channel, zone }: CurrentValueProps) => {
  const current = useChannelValue(channel.deviceChannelId);
  const state = current ? stateOf(current) : "normal";
  return (
    <div className={classes.current} data-state={state} data-lost={useIsLost() || undefined}>
      <div className={classes.head}>
        <ChannelIcon analogId={channel.channelAnalogId} />
        <span className={classes.type}>{channelLabel(channel.channelAnalogId)}</span>
        <StateMark state={state} />
      </div>
      <h2 className={classes.name}>{channel.channelName}</h2>
      <div className={classes.value}>
        {current ? (
          <Figure key={channel.deviceChannelId} channel={channel} current={current} />
        ) : (
          <span className={classes.waiting} />
        )}
      </div>
      <p className={classes.time}>
        {current && `Last updated at ${current.updateTime ? zone.stamp(current.updateTime) : "--"}`}
      </p>
    </div>
  );
};
