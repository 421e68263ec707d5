import { approach, type Random, wander } from "./random.ts";

/** A three-phase motor with its pump. Rated: 400 V, 50 Hz, 11.9 kW drawn, 20 A, 2955 rpm. */
export interface Motor {
  isRunning: boolean;
  /** Share of rated speed; a soft starter takes a few seconds. */
  speed: number;
  /** Share of rated shaft power. */
  load: number;
  /** kW. */
  realPower: number;
  /** kvar. */
  reactivePower: number;
  powerFactor: number;
  /** Mean of the three phases, amperes. */
  current: number;
  /** Difference between the phases; wanders over ten minutes. */
  imbalance: number;
  /** Mains frequency, Hz. */
  frequency: number;
  /** Seconds in operation since it was installed. */
  runTime: number;
  starts: number;
}

/** kW, volts, rpm, amperes. A running pump below `underCurrent` moves no water. */
export const rated = { power: 11.9, shaft: 10.7, voltage: 400, rpm: 2955, current: 20, underCurrent: 17 } as const;

const phaseVolts = rated.voltage * Math.sqrt(3);

/** One step of a motor. `flow` is the flow through its own pump as a share of the duty flow. */
export const stepMotor = (state: Motor, dt: number, isRunning: boolean, flow: number, draw: Random): Motor => {
  const speed = isRunning ? approach(state.speed, 1, dt, 2.5) : approach(state.speed, 0, dt, 4);
  const load = isRunning ? speed ** 3 * (0.55 + 0.45 * Math.min(1.3, flow)) : 0;
  // A starting motor draws mostly reactive current; magnetising current makes the power factor fall with the load.
  const slip = (1 - speed) ** 2;
  const realPower = isRunning ? rated.power * (0.06 + 0.94 * load) + 3 * slip : 0;
  const reactivePower = isRunning ? 4.9 + 2.1 * load * load + 24 * slip : 0;
  const apparent = Math.sqrt(realPower * realPower + reactivePower * reactivePower);
  return {
    isRunning,
    speed,
    load,
    realPower,
    reactivePower,
    powerFactor: isRunning ? realPower / apparent : 0,
    current: (apparent * 1000) / phaseVolts,
    imbalance: wander(state.imbalance, dt, 600, draw),
    frequency: 50 + 0.02 * wander((state.frequency - 50) / 0.02, dt, 120, draw),
    runTime: state.runTime + (isRunning ? dt : 0),
    starts: state.starts + (isRunning && !state.isRunning ? 1 : 0),
  };
};

const phaseBias = [0.008, -0.013, 0.005] as const;

/** Current of a phase in amperes: A, B and C (0, 1, 2) differ by one to three percent, as on any real mains. */
export const phaseCurrent = ({ current, imbalance }: Motor, phase: 0 | 1 | 2): number =>
  current * (1 + phaseBias[phase] + 0.006 * imbalance * (phase - 1));

export const restingMotor: Motor = {
  isRunning: false,
  speed: 0,
  load: 0,
  realPower: 0,
  reactivePower: 0,
  powerFactor: 0,
  current: 0,
  imbalance: 0,
  frequency: 50,
  runTime: 0,
  starts: 0,
};
