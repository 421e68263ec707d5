import { IconAccessPoint, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { type LiveState, useLiveState } from "../../session/live/live.ts";
import { clock } from "../../ui/format/time.ts";
import { useLocation } from "../../ui/router/hooks.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import classes from "./live-indicator.module.css";

/** The bar's text about the live connection; `isLost` is shown in amber. The first attempt does not count as a loss. */
export const liveText = (
  { state, lastMessageAt, retryAt }: LiveState,
  now: number,
): { text: string; isLost: boolean } => {
  if (state === "live") return { text: "Live", isLost: false };
  if (lastMessageAt === null && retryAt === null) return { text: "Connecting", isLost: false };
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - now) / 1000);
  return { text: seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting", isLost: true };
};

/** The current time, for a countdown; it does not tick while there is none. */
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

let format: Intl.DateTimeFormat | undefined;

/** The browser's time zone, in which all times are that a page does not name another one for; short as of a moment: GMT, CET, GMT+5:30. */
const zoneAt = (moment: number): { name: string; short: string } => {
  // Made with the first message: before the first paint it would take 20 ms and more.
  format ??= new Intl.DateTimeFormat("en", { timeZoneName: "short" });
  const name = format.resolvedOptions().timeZone;
  return { name, short: format.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? name };
};

const LastMessage = ({ at }: { at: number }) => {
  const { name, short } = zoneAt(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={`Times are in ${name}`}>
      {clock(at)} <small>{short}</small>
    </time>
  );
};

/** Whether the page shows the past: then all that is live says 'now'. */
export const useIsRewound = (): boolean =>
  useLocation(({ pathname, search }) => pathname === "/" && search.at !== undefined);

/** Whether live values arrive: 'Live' with the time of the last message, or the time until the next attempt. */
export const LiveIndicator = ({ inSheet = false }: { inSheet?: boolean }) => {
  const live = useLiveState();
  const { text, isLost } = liveText(live, useNow(live.retryAt));
  const isRewound = useIsRewound();
  const { lastMessageAt } = live;
  // A phone's bar has no room for it, and to find out the name of the zone takes as long as to draw the page.
  const hasTime = useIsPhone() ? inSheet : true;
  const LinkIcon = isLost ? IconPlugConnectedX : IconAccessPoint;
  return (
    <span
      className={classes.live}
      data-lost={isLost || undefined}
      data-now
      data-sheet={inSheet || undefined}
      title={isLost ? text : undefined}
    >
      <LinkIcon size={17} stroke={1.6} aria-hidden />
      <span>{isRewound && live.state === "live" ? "Now" : text}</span>
      {hasTime && !isLost && lastMessageAt !== null && <LastMessage at={lastMessageAt} />}
    </span>
  );
};
