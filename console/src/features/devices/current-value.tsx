import { type ChannelRow, type ChannelValue, ReadingStatus } from "@telltale/contract/channels";
import { ChannelIcon, channelLabel } from "../../format/channel-icon.tsx";
import { isNoData } from "../../format/value.ts";
import type { Zone } from "../../format/zone.ts";
import { Glyph } from "../../ui/glyph.tsx";
import classes from "./current-value.module.css";
import { shownValue } from "./shown-value.ts";
import { useChannelValue } from "./use-channel-value.ts";

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

interface CurrentValueProps {
  channel: ChannelRow;
  zone: Zone;
}

/** The selected channel's value as it is now. (spec 1 §2) */
export const CurrentValue = ({ channel, zone }: CurrentValueProps) => {
  const current = useChannelValue(channel.deviceChannelId);
  const state = current ? stateOf(current) : "normal";
  const shown = current && shownValue(channel, current);
  return (
    <div className={classes.current} data-state={state}>
      <div className={classes.head}>
        <ChannelIcon analogId={channel.channelAnalogId} />
        <span className={classes.type}>{channelLabel(channel.channelAnalogId)}</span>
        <StateMark state={state} />
      </div>
      <h2 className={classes.name}>{channel.channelName}</h2>
      <div className={classes.value}>
        {shown ? (
          <>
            {shown.text} {shown.unit && <small>{shown.unit}</small>}
          </>
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
