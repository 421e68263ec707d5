import { IconAccessPoint, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { clock } from "../../format/time.ts";
import { useLiveState } from "../../session/live.ts";
import classes from "./live-indicator.module.css";

/** Whole seconds until a moment, counted down once a second; 0 when it has passed. */
const useCountdown = (moment: number | null): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (moment === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [moment]);
  return moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000));
};

/** Whether live values arrive: 'Live' with the time of the last message, or when the next attempt is made. */
export const LiveIndicator = () => {
  const { state, lastMessageAt, retryAt } = useLiveState();
  const seconds = useCountdown(retryAt);
  if (state === "live")
    return (
      <span className={classes.live}>
        <IconAccessPoint size={17} stroke={1.6} aria-hidden />
        Live{" "}
        {lastMessageAt !== null && <time dateTime={new Date(lastMessageAt).toISOString()}>{clock(lastMessageAt)}</time>}
      </span>
    );
  const isFirst = lastMessageAt === null && retryAt === null;
  return (
    <span className={isFirst ? classes.live : classes.lost}>
      <IconPlugConnectedX size={17} stroke={1.6} aria-hidden />
      <span>{isFirst ? "Connecting" : seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting"}</span>
    </span>
  );
};
