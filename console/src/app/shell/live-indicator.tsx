import { IconAccessPoint, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { clock } from "../../format/time.ts";
import { useLiveState } from "../../session/live.ts";
import classes from "./live-indicator.module.css";
import { liveText } from "./live-text.ts";

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
