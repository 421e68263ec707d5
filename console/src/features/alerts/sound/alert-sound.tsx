import { type ReactNode, Suspense, useState } from "react";
import { useSoundSwitch } from "../../../domain/alerts/sound-switch.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";

/** Loaded only by browsers in which the sound is on. */
const SoundingChip = lazyWithRetry(() => import("./sounding-chip.tsx"), "SoundingChip");

/** The sound of alerts, where it is switched on. A sample is heard when that happens on the open page. */
export const AlertSound = (): ReactNode => {
  const [isOn] = useSoundSwitch();
  const [wasOn] = useState(isOn);
  if (!isOn) return null;
  return (
    <Suspense>
      <SoundingChip isJustSwitchedOn={!wasOn} />
    </Suspense>
  );
};
