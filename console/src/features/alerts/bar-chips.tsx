import { type ReactNode, Suspense } from "react";
import { useSoundSwitch } from "../../domain/alerts/sound-switch.ts";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { Link } from "../../ui/router/link.tsx";
import { Glyph } from "../../ui/status/glyph.tsx";
import classes from "./silence/silent-chip.module.css";
import { useSilentCounts } from "./silence/use-silent.ts";

/** Loaded only by browsers in which the sound is on. */
const SoundingChip = lazyWithRetry(() => import("./sound/sounding-chip.tsx"), "SoundingChip");

/** The sound of alerts, where it is switched on. */
const AlertSound = (): ReactNode => {
  const [isOn] = useSoundSwitch();
  if (!isOn) return null;
  return (
    <Suspense>
      <SoundingChip />
    </Suspense>
  );
};

/** The quiet count of what is silent, beside the lamp; nothing when nothing is. */
const SilentChip = (): ReactNode => {
  const total = useSilentCounts()?.total ?? 0;
  if (total === 0) return null;
  return (
    <Link to="/alarms/silent" className={classes.chip} data-now>
      <Glyph name="clock" size={15} />
      <b>{total}</b>
      <span>silent</span>
    </Link>
  );
};

/** What the bar says about alerts beside their count: how many are suppressed, and the sound. */
export const BarChips = () => (
  <>
    <SilentChip />
    <AlertSound />
  </>
);
