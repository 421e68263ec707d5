import { IconAlertTriangle, IconVolumeOff } from "@tabler/icons-react";
import { AlertPriority } from "@telltale/contract/domains/alerts";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { takeSample } from "../../../domain/alerts/sound-switch.ts";
import { useLiveState } from "../../../session/live/live.ts";
import { useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { useSession } from "../../../session/session.ts";
import { useRemembered } from "../../../ui/remembered.ts";
import { lostConnection, mostUrgentNew, repeating, stillSilenced } from "./sounding.ts";
import classes from "./sounding-chip.module.css";
import type { Tone } from "./tones.ts";
import { useIsSoundingTab, useSounder } from "./use-sounder.ts";

/** Milliseconds from one P1 tone to the next, and from one tone of a lost connection to the next. */
const urgentEvery = 4_000;
const lostEvery = 30_000;

/** Milliseconds without a live connection after which it sounds; shorter gaps heal by themselves. */
const lostAfter = 30_000;

const useIsLost = (): boolean => {
  const isLive = useLiveState().state === "live";
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (isLive) return;
    const timer = setTimeout(() => setLost(true), lostAfter);
    return () => {
      clearTimeout(timer);
      setLost(false);
    };
  }, [isLive]);
  return isLost;
};

/** Plays a tone at once and then at intervals, while `isWanted`. */
const useRepeated = (tone: Tone, every: number, isWanted: boolean, play: (tone: Tone) => void): void => {
  useEffect(() => {
    if (!isWanted) return;
    play(tone);
    const timer = setInterval(() => play(tone), every);
    return () => clearInterval(timer);
  }, [tone, every, isWanted, play]);
};

/** Plays a tone once for alerts that arrive. P1 repeats by itself; alerts found when the console opens are not new. */
const useNewTones = (isOurs: boolean, play: (tone: Tone) => void): void => {
  const { alerts, isPending, isUnknown } = useUnconfirmed();
  const known = useRef<ReadonlySet<number>>(undefined);
  const onAlerts = useEffectEvent((current: typeof alerts) => {
    const before = known.current;
    known.current = new Set(current.map(({ alarmLogId }) => alarmLogId));
    const priority = before && mostUrgentNew(current, before);
    if (isOurs && priority !== undefined && priority !== AlertPriority.high) play(priority);
  });
  const isLoaded = !isPending && !isUnknown;
  useEffect(() => {
    if (isLoaded) onAlerts(alerts);
  }, [isLoaded, alerts]);
};

const none: readonly number[] = [];

/** What is silenced in this browser, in all its tabs; what has ended is dropped. */
const useSilenced = (accountId: number, isOurs: boolean, isLost: boolean) => {
  const { alerts, isPending, isUnknown } = useUnconfirmed();
  const [silenced, setSilenced] = useRemembered(`telltale-silenced-${accountId}`, none);
  const kept = isOurs && !isPending && !isUnknown ? stillSilenced(silenced, { alerts, isLost }) : silenced;
  useEffect(() => {
    if (kept !== silenced) setSilenced(kept);
  }, [kept, silenced, setSilenced]);
  return [kept, setSilenced] as const;
};

/**
 * Sounds a tone per priority for new alerts, P1 until it is silenced or confirmed, and another while Live is lost. Shows the button that silences,
 * or that the browser blocks the sound.
 */
export const SoundingChip = (): ReactNode => {
  const { accountId } = useSession().account;
  const { alerts } = useUnconfirmed();
  const { isBlocked, play } = useSounder();
  const isOurs = useIsSoundingTab(`telltale-sound-${accountId}`, isBlocked === false);
  const isLost = useIsLost();
  const [silenced, setSilenced] = useSilenced(accountId, isOurs, isLost);
  const isUrgent = repeating(alerts, silenced).length > 0;
  const isLossHeard = isLost && !silenced.includes(lostConnection);
  useRepeated(AlertPriority.high, urgentEvery, isOurs && isUrgent, play);
  useRepeated("lost", lostEvery, isOurs && isLossHeard, play);
  useNewTones(isOurs, play);
  const playSample = useEffectEvent(() => {
    if (takeSample() && !isUrgent) play(AlertPriority.low);
  });
  useEffect(() => {
    if (isOurs) playSample();
  }, [isOurs]);

  if (isBlocked)
    return (
      <span role="status" className={classes.notice}>
        <button type="button" className={classes.chip} data-blocked>
          <IconAlertTriangle size={17} stroke={1.7} aria-hidden />
          <span>Sound blocked by the browser: click to allow</span>
        </button>
      </span>
    );
  if (!isUrgent && !isLossHeard) return null;
  const silence = () =>
    setSilenced([
      ...silenced,
      ...repeating(alerts, silenced).map(({ alarmLogId }) => alarmLogId),
      ...(isLossHeard ? [lostConnection] : []),
    ]);
  return (
    <button type="button" className={classes.chip} data-shortcut="silence" onClick={silence}>
      <IconVolumeOff size={17} stroke={1.7} aria-hidden />
      <span>Silence</span>
    </button>
  );
};
