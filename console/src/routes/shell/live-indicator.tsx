import { IconAccessPoint, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { type LiveState, useLiveState } from "../../session/live/live.ts";
import { clock } from "../../ui/format/time.ts";
import classes from "./live-indicator.module.css";

/** What the bar says about the live connection; `isLost` is shown in amber. The first attempt is not a loss. */
export const liveText = (
  { state, lastMessageAt, retryAt }: LiveState,
  now: number,
): { text: string; isLost: boolean } => {
  if (state === "live") return { text: "Live", isLost: false };
  if (lastMessageAt === null && retryAt === null) return { text: "Connecting", isLost: false };
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - now) / 1000);
  return { text: seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting", isLost: true };
};

/** The time, for a countdown to a moment; it stands still while there is none. */
const useNow = (moment: number | null): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (moment === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [moment]);
  return now;
};

/** Whether live values arrive: 'Live' with the time of the last message, or when the next attempt is made. */
export const LiveIndicator = ({ inSheet = false }: { inSheet?: boolean }) => {
  const live = useLiveState();
  const { text, isLost } = liveText(live, useNow(live.retryAt));
  const { lastMessageAt } = live;
  const LinkIcon = isLost ? IconPlugConnectedX : IconAccessPoint;
  return (
    <span
      className={classes.live}
      data-lost={isLost || undefined}
      data-sheet={inSheet || undefined}
      title={isLost ? text : undefined}
    >
      <LinkIcon size={17} stroke={1.6} aria-hidden />
      <span>{text}</span>
      {!isLost && lastMessageAt !== null && (
        <time dateTime={new Date(lastMessageAt).toISOString()}>{clock(lastMessageAt)}</time>
      )}
    </span>
  );
};
