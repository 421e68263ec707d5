import { approach, type Random, wander } from "./random.ts";

/** The drive-end bearing of a pump. */
export interface Bearing {
  /** Degrees Celsius. */
  temperature: number;
  /** Vibration in mg RMS along the axes. */
  x: number;
  y: number;
  z: number;
  /** Slow variation of the running noise; wanders over four minutes. */
  roughness: number;
}

/** Time constants in seconds: the metal warms up slowly, and cools down more slowly without flowing water. */
const warming = 35 * 60;
const cooling = 55 * 60;

/** mg RMS of a new bearing at rated speed, and at rest. */
const newBearing = { x: 68, y: 112, z: 57, rest: 4 } as const;

/**
 * One step of a bearing. `wear` runs from 0 (new) to 1 (failed): vibration grows with its square, up to 3.4 times, temperature linearly. A throttled
 * pump vibrates more.
 */
export const stepBearing = (
  state: Bearing,
  dt: number,
  {
    speed,
    load,
    closed,
    wear,
    ambient,
  }: { speed: number; load: number; closed: number; wear: number; ambient: number },
  draw: Random,
): Bearing => {
  const isTurning = speed > 0.05;
  const target = ambient + (isTurning ? 31 * (0.4 + 0.6 * load) * (1 + 0.9 * wear) : 0);
  const roughness = wander(state.roughness, dt, 240, draw);
  const growth = speed * speed * (1 + 2.4 * wear * wear + 0.12 * closed) * (1 + 0.012 * roughness);
  return {
    temperature: approach(state.temperature, target, dt, isTurning ? warming : cooling),
    roughness,
    x: newBearing.rest + newBearing.x * growth,
    y: newBearing.rest + newBearing.y * growth,
    z: newBearing.rest + newBearing.z * growth * (1 + 0.3 * wear),
  };
};

export const coldBearing: Bearing = { temperature: 15, x: 4, y: 4, z: 4, roughness: 0 };
