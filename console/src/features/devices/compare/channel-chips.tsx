import { IconX } from "@tabler/icons-react";
import { CallError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import classes from "./channel-chips.module.css";
import { LineSign } from "./line-sign.tsx";
import { hasReadings } from "./plots.ts";
import type { Compared } from "./use-compared.ts";

/** Why a channel is not shown. */
const reasonOf = (error: Error): string =>
  error instanceof CallError && error.code === Code.notFound
    ? "It is gone, or your account may not see it"
    : error.message;

const Words = ({ channel }: { channel: Compared }) => {
  const { info, error, channelId, model } = channel;
  const unit = model?.unit ?? info?.unit;
  if (info && !error)
    return (
      <span>
        <b>{info.channelName}</b>
        <small>
          {[info.deviceName, unit, model && !hasReadings(model) && "no readings in this window"]
            .filter(Boolean)
            .join(", ")}
        </small>
      </span>
    );
  return (
    <span>
      <b>{info?.channelName ?? `Channel ${channelId}`}</b>
      <small>{error ? reasonOf(error) : "Loading"}</small>
    </span>
  );
};

interface ChannelChipsProps {
  channels: readonly Compared[];
  onRemove: (channelId: number) => void;
}

/** The compared channels; one that cannot be shown says why, in place. */
export const ChannelChips = ({ channels, onRemove }: ChannelChipsProps) => (
  <ul className={classes.chips} aria-label="Compared channels">
    {channels.map((channel) => (
      <li key={channel.channelId} data-wrong={channel.error !== null || undefined}>
        <LineSign place={channel.place} />
        <Words channel={channel} />
        <button
          type="button"
          aria-label={`Remove ${channel.info?.channelName ?? `channel ${channel.channelId}`}`}
          onClick={() => onRemove(channel.channelId)}
        >
          <IconX size={15} stroke={1.8} aria-hidden />
        </button>
      </li>
    ))}
  </ul>
);
