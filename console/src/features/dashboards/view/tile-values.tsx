import { ReadingStatus } from "@telltale/contract/domains/channels";
import type { Tile, TileChannel } from "@telltale/contract/domains/dashboard/tiles";
import type { ReactNode } from "react";
import { channelValue, isNoData, isOn, isSwitch, modbusValue, noValue } from "../../../domain/value.ts";
import { useReading } from "../../../session/live/use-live-values.ts";
import flash from "../../../ui/flash.module.css";
import { Lamp } from "../../../ui/status/lamp.tsx";
import { useFlash } from "../../../ui/status/use-flash.ts";
import { Figure } from "./figure.tsx";
import skeleton from "./skeleton.module.css";
import { readingState, shownChannels } from "./tile-state.ts";
import classes from "./tile-values.module.css";

interface ChannelFigureProps {
  tile: Tile;
  /** The sensor's range, where the value is beyond it and in alarm: it is shown then. */
  range: string | undefined;
  /** Beside the value; by default what `range` is. */
  beside: ReactNode;
}

/** The large value of a single-channel tile, with a lamp before ON or OFF. */
export const ChannelFigure = ({ tile, range, beside }: ChannelFigureProps) => {
  const reading = useReading(tile);
  const status = range === undefined ? reading.status : ReadingStatus.alarm;
  const shown = channelValue({ ...tile, ...reading, status });
  const isUnder = tile.sensorRange !== null && (reading.value ?? 0) < tile.sensorRange.zero;
  const lamp = isSwitch(tile.channelAnalogId) && !isNoData(reading);
  return (
    <>
      <Figure
        shown={shown}
        unitSize={0.435}
        className={classes.value}
        before={lamp && <Lamp on={isOn(reading.value ?? 0)} className={classes.lamp} />}
      />
      {beside ??
        (range !== undefined && (
          <small className={classes.over}>
            {isUnder ? "UNDER RANGE" : "OVER RANGE"} <span>sensor {range}</span>
          </small>
        ))}
    </>
  );
};

interface ChannelProps {
  channel: TileChannel;
}

const useShown = (channel: TileChannel) => {
  const reading = useReading(channel);
  return { shown: modbusValue({ ...channel, ...reading }), state: readingState(reading) };
};

const GroupChannel = ({ channel }: ChannelProps) => {
  const { shown, state } = useShown(channel);
  return (
    <div className={classes.cell}>
      <dt>{channel.channelName}</dt>
      <dd data-state={state}>
        <Figure shown={shown} unitSize={0.54} />
      </dd>
    </div>
  );
};

const ModbusLine = ({ channel }: ChannelProps) => {
  const { shown, state } = useShown(channel);
  const element = useFlash<HTMLElement>(shown.text);
  return (
    <div className={classes.line}>
      <dt>{channel.channelName}</dt>
      <dd ref={element} className={flash.flash} data-state={state}>
        {shown.text}
        <small>{shown.unit}</small>
      </dd>
    </div>
  );
};

interface ChannelsProps {
  tile: Tile;
  isWaiting: boolean;
}

const waiting = (lines: number) =>
  Array.from({ length: lines }, (_, line) => line).map((line) => <span key={line} className={skeleton.bar} />);

const NoChannels = () => <Figure shown={noValue} unitSize={0} className={classes.value} />;

/** Up to three channels of a group, side by side. */
export const GroupChannels = ({ tile, isWaiting }: ChannelsProps) => {
  const { shown } = shownChannels(tile);
  if (isWaiting) return <div className={classes.waiting}>{waiting(2)}</div>;
  if (shown.length === 0) return <NoChannels />;
  return (
    <dl className={classes.group}>
      {shown.map((channel) => (
        <GroupChannel key={channel.deviceChannelId} channel={channel} />
      ))}
    </dl>
  );
};

/** Up to eight registers of a modbus device, one per line; figures and units in separate columns. */
export const ModbusLines = ({ tile, isWaiting }: ChannelsProps) => {
  const { shown } = shownChannels(tile);
  if (isWaiting) return <div className={classes.waiting}>{waiting(8)}</div>;
  if (shown.length === 0) return <NoChannels />;
  return (
    <dl className={classes.lines}>
      {shown.map((channel) => (
        <ModbusLine key={channel.deviceChannelId} channel={channel} />
      ))}
    </dl>
  );
};
