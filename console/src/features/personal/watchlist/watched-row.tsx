import { IconGripVertical, IconX } from "@tabler/icons-react";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import type { WatchedChannel } from "@telltale/contract/domains/people/personal";
import type { PointerEvent } from "react";
import { alertStatusLook } from "../../../domain/alerts/alert-status.ts";
import { ChannelIcon } from "../../../domain/channel-icon.tsx";
import { channelValue, isNoData, isOn, isSwitch, modbusValue } from "../../../domain/value.ts";
import type { Reading } from "../../../session/live/live-values.ts";
import { useReading } from "../../../session/live/use-live-values.ts";
import flash from "../../../ui/flash.module.css";
import { orMissing, recent } from "../../../ui/format/time.ts";
import { OperationButton } from "../../../ui/operation-button.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { Lamp } from "../../../ui/status/lamp.tsx";
import { StatusLabel, type StatusLook } from "../../../ui/status/status-label.tsx";
import { useFlash } from "../../../ui/status/use-flash.ts";
import { type Arrangement, startsDrag } from "../../../ui/use-arrangement.ts";
import classes from "./personal.module.css";

type State = "normal" | "alarm" | "no-data";

const looks: Readonly<Record<State, StatusLook>> = {
  normal: { glyph: "disc", tone: "normal", label: "Normal" },
  alarm: { ...alertStatusLook(AlertStatus.triggered), tone: "alarm", label: "Alert" },
  "no-data": { glyph: "hatch", tone: "faint", label: "No data" },
};

const stateOf = (reading: Reading): State => {
  if (isNoData(reading)) return "no-data";
  return reading.status === ReadingStatus.alarm ? "alarm" : "normal";
};

const Value = ({ channel, reading }: { channel: WatchedChannel; reading: Reading }) => {
  const isRegister = channel.channelType === 4;
  const shown = (isRegister ? modbusValue : channelValue)({ ...channel, ...reading });
  const element = useFlash<HTMLSpanElement>(shown.text);
  return (
    <span ref={element} className={`${classes.value} ${flash.flash}`} data-state={stateOf(reading)}>
      {isSwitch(channel.channelAnalogId) && !isNoData(reading) && (
        <Lamp on={isOn(reading.value ?? 0)} className={classes.lamp} />
      )}
      {shown.text}
      {shown.unit !== "" && <small>{shown.unit}</small>}
    </span>
  );
};

interface WatchedRowProps {
  channel: WatchedChannel;
  /** Absent in a read-only view. */
  arrangement: Arrangement<WatchedChannel>;
  onRemove: ((channel: WatchedChannel) => void) | undefined;
  /** Id of the sentence that explains how to move a row. */
  hint: string;
}

const Grip = ({ channel, arrangement, hint }: Omit<WatchedRowProps, "onRemove">) => {
  const start = (event: PointerEvent) => startsDrag(event) && arrangement.startDrag(channel);
  const place = `place ${arrangement.placeOf(channel) + 1} of ${arrangement.items.length}`;
  return (
    <button
      type="button"
      className={classes.grip}
      data-grip
      aria-label={`Move ${channel.channelName}, ${place}`}
      aria-describedby={hint}
      onPointerDown={start}
      onKeyDown={(event) => arrangement.onKeyDown(event, channel)}
    >
      <IconGripVertical size={18} aria-hidden />
    </button>
  );
};

/** A channel of the watchlist with its newest reading. */
export const WatchedRow = ({ channel, arrangement, onRemove, hint }: WatchedRowProps) => {
  const reading = useReading(channel);
  const { deviceId, deviceChannelId, channelName, deviceName } = channel;
  // What is wrong is shown at its time; otherwise the newest readings matter.
  const at = stateOf(reading) === "normal" ? undefined : reading.updateTime?.toISOString();
  return (
    <li
      className={classes.row}
      data-item={deviceChannelId}
      data-dragged={arrangement.dragged === channel || undefined}
      style={{ order: arrangement.placeOf(channel) }}
    >
      {onRemove ? <Grip channel={channel} arrangement={arrangement} hint={hint} /> : <span className={classes.grip} />}
      <ChannelIcon analogId={channel.channelAnalogId} />
      <Link
        to="/devicesDetail"
        search={{ deviceId, deviceChannelId, at }}
        className={classes.name}
        title={channelName}
        draggable={false}
      >
        {channelName}
      </Link>
      <span className={classes.device} title={deviceName}>
        {deviceName}
      </span>
      <span className={classes.status}>
        <StatusLabel {...looks[stateOf(reading)]} />
      </span>
      <Value channel={channel} reading={reading} />
      <span className={classes.time}>{orMissing(reading.updateTime, recent)}</span>
      <span className={classes.remove}>
        {onRemove && <OperationButton label={`Remove ${channelName}`} icon={IconX} onClick={() => onRemove(channel)} />}
      </span>
    </li>
  );
};
