import { channels, ReadingStatus } from "@telltale/contract/domains/channels";
import type { TrendChannel } from "@telltale/contract/domains/readings/trends";
import { shownValue } from "../../domain/shown-value.ts";
import { isNoData } from "../../domain/value.ts";
import { LiveValuesContext, type Loaded, useLiveValues, useReading } from "../../session/live/use-live-values.ts";
import { useCall } from "../../session/use-call.ts";
import { Glyph } from "../../ui/status/glyph.tsx";
import classes from "./palette.module.css";

const Value = ({ channel, loaded }: { channel: TrendChannel; loaded: Loaded & { unit: string } }) => {
  const reading = useReading(loaded);
  const { text, unit } = shownValue(channel, { ...reading, unit: loaded.unit });
  const isAlarm = reading.status === ReadingStatus.alarm;
  return (
    <span className={classes.end} data-tone={isAlarm ? "alarm" : undefined}>
      {isAlarm && <Glyph name="diamond-open-bang" size={15} />}
      {isNoData(reading) ? text : <b>{text}</b>} {unit}
    </span>
  );
};

/** The newest value of a channel. */
export const ChannelEnd = ({ channel }: { channel: TrendChannel }) => {
  const { deviceChannelId } = channel;
  const { data, isFetching, dataUpdatedAt } = useCall(
    channels.value,
    { deviceChannelId },
    { meta: { quiet: true, isShownInPlace: true } },
  );
  const live = useLiveValues(isFetching, dataUpdatedAt);
  return <LiveValuesContext value={live}>{data && <Value channel={channel} loaded={data} />}</LiveValuesContext>;
};
