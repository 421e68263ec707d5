import { rated } from "../plant/motor.ts";
import type { SignalName } from "../plant/signals.ts";

/** Content of a motor controller's register: a quantity of the plant, or a setting. */
export interface Register {
  signal?: SignalName;
  /** A constant register. */
  fixed?: number;
  /** Decimals of the register. */
  decimals: number;
}

const live = (signal: SignalName, decimals: number): Register => ({ signal, decimals });
const set = (fixed: number): Register => ({ fixed, decimals: 0 });

/** By keyword, letters and digits alone. 50 Hz mains, automatic start, control ON (0), under-current by current. */
const registers: ReadonlyMap<string, Register> = new Map([
  ["ia", live("currentA", 1)],
  ["ib", live("currentB", 1)],
  ["ic", live("currentC", 1)],
  ["frequency", live("frequency", 2)],
  ["realpower", live("realPower", 2)],
  ["reactivepower", live("reactivePower", 2)],
  ["powerfactor", live("powerFactor", 3)],
  ["voltage", live("voltage", 1)],
  ["runtime", live("runTime", 0)],
  ["starts", live("starts", 0)],
  ["relaystatus", live("pumpRunning", 0)],
  ["undercurrent", live("isUnderCurrent", 0)],
  ["startmode", set(1)],
  ["fault", set(0)],
  ["control", set(0)],
  ["highinertiaload", set(0)],
  ["lockedrotor", set(0)],
  ["thirdfailure", set(0)],
  ["frequencysetting", set(0)],
  ["undercurrentdetection", set(1)],
  ["undercurrenttype", set(0)],
  // Amperes, seconds and minutes of the motor protection: it trips 20 % above the rating, and at six times the rating with a locked rotor.
  ["ratedcurrent", set(rated.current)],
  ["undercurrentsetpoint", set(rated.underCurrent)],
  ["undercurrentdelay", set(5)],
  ["overcurrentsetpoint", set(1.2 * rated.current)],
  ["overcurrentdelay", set(10)],
  ["lockedrotorsetpoint", set(6 * rated.current)],
  ["lockedrotordelay", set(2)],
  ["restartdelay", set(5)],
]);

/** The register of a keyword; `I A`, `I_A` and `iA` are the same. Undefined when the simulated controller does not have it. */
export const registerOf = (keyword: string): Register | undefined =>
  registers.get(keyword.toLowerCase().replace(/[^a-z0-9]/g, ""));
