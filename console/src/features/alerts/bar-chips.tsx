import { SilentChip } from "./silence/silent-chip.tsx";
import { AlertSound } from "./sound/alert-sound.tsx";

/** What the bar says about alerts beside their count: how many are suppressed, and the sound. */
export const BarChips = () => (
  <>
    <SilentChip />
    <AlertSound />
  </>
);
