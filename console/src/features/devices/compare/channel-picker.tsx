import { Checkbox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { mostCompared, mostFound, type TrendChannel, trends } from "@telltale/contract/domains/readings/trends";
import { useState } from "react";
import { useCall } from "../../../session/use-call.ts";
import { TextInput } from "../../../ui/control/text-input.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./channel-picker.module.css";
import { LineSign } from "./line-sign.tsx";

/** Pause after typing before channels are searched for, milliseconds. */
const pause = 250;

interface PickerProps {
  ids: readonly number[];
  onAdd: (channelId: number) => void;
  onRemove: (channelId: number) => void;
}

interface ChannelProps extends PickerProps {
  channel: TrendChannel;
}

const Channel = ({ channel, ids, onAdd, onRemove }: ChannelProps) => {
  const { deviceChannelId: channelId, channelName } = channel;
  const place = ids.indexOf(channelId);
  const isChosen = place >= 0;
  return (
    <li className={classes.channel} data-chosen={isChosen || undefined}>
      <Checkbox
        size="xs"
        classNames={{ body: classes.body }}
        label={channelName}
        checked={isChosen}
        disabled={!isChosen && ids.length >= mostCompared}
        onChange={() => (isChosen ? onRemove(channelId) : onAdd(channelId))}
      />
      {isChosen && <LineSign place={place} />}
    </li>
  );
};

const byDevice = (channels: readonly TrendChannel[]): TrendChannel[][] => [
  ...Map.groupBy(channels, ({ deviceId }) => deviceId).values(),
];

const Found = (props: PickerProps & { find: string }) => {
  const { find, ...picking } = props;
  const { data, error, refetch } = useCall(trends.find, find === "" ? {} : { find });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.channels.length === 0) return <EmptyState>No channel or device has this name</EmptyState>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className={classes.list} aria-label="Channels" aria-busy={!data} tabIndex={0}>
      {byDevice(data?.channels ?? []).map((channels) => (
        <div key={channels[0]?.deviceId}>
          <h2>
            {channels[0]?.deviceName} <small>{channels[0]?.deviceSnId.slice(-4)}</small>
          </h2>
          <ul>
            {channels.map((channel) => (
              <Channel key={channel.deviceChannelId} channel={channel} {...picking} />
            ))}
          </ul>
        </div>
      ))}
      {data && data.total > data.channels.length && (
        <p className={classes.more}>
          The first {mostFound} of {data.total} channels. Search for the others.
        </p>
      )}
    </section>
  );
};

/** The channels that can be compared, by device, with a search. */
export const ChannelPicker = (props: PickerProps) => {
  const [text, setText] = useState("");
  const [find] = useDebouncedValue(text.trim(), pause);
  return (
    <Panel className={classes.picker ?? ""}>
      <TextInput
        className={classes.search}
        aria-label="Find a channel"
        placeholder="Find a channel"
        data-shortcut="filter"
        leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Found find={find} {...props} />
    </Panel>
  );
};
