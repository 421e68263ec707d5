import { approach } from "./random.ts";

/** The cell of a battery sub-device. */
export interface Battery {
  /** Percent. */
  charge: number;
  isFailing: boolean;
}

/** Percent a day: a cell lasts for about a year. */
const dailyUse = 0.25;

/** One step of a cell. A failing one drops to 9 % within half an hour; when the episode ends it has been replaced. */
export const stepBattery = (state: Battery, dt: number, isFailing: boolean): Battery => {
  if (isFailing) return { charge: approach(state.charge, Math.min(9, state.charge), dt, 600), isFailing };
  if (state.isFailing) return { charge: 100, isFailing };
  return { charge: Math.max(0, state.charge - (dailyUse * dt) / 86_400), isFailing };
};
