import { phaseCurrent, rated } from "./motor.ts";
import type { Station } from "./station.ts";

/** Which of two pumps, or of two cold stores, an instrument is fitted to. */
export type PumpNumber = 0 | 1;

/** A quantity of the plant that an instrument can measure. */
export interface Signal {
  unit: string;
  /** The true value in `unit`. */
  read: (station: Station, pump: PumpNumber) => number;
  /** Noise deviation of a good transmitter, in `unit`. */
  noise: number;
  /** The limit that the plant is designed for: faults exceed it, normal operation stays below. */
  alarmAt?: number;
  /** Monotonic counter, also across restarts of the plant. */
  isCounter?: boolean;
  /** A vibration sensor measures while the machine runs, and repeats its last measurement while it is stopped. */
  isMeasured?: (station: Station, pump: PumpNumber) => boolean;
}

const isTurning = (station: Station, pump: PumpNumber): boolean => station.motors[pump].speed > 0.9;
const on = (is: boolean): number => (is ? 1 : 0);
const torque = (station: Station, pump: PumpNumber): number =>
  (station.motors[pump].load * rated.shaft * 1000 * 60) / (2 * Math.PI * rated.rpm);

const vibration = (axis: "x" | "y" | "z"): Signal => ({
  unit: "mg",
  noise: 1.2,
  alarmAt: 300,
  read: (station, pump) => station.bearings[pump][axis],
  isMeasured: isTurning,
});

const current = (phase: 0 | 1 | 2): Signal => ({
  unit: "A",
  noise: 0.03,
  read: (station, pump) => phaseCurrent(station.motors[pump], phase),
});

/** All measurable quantities by name; a fleet's `signal` is one of these. */
export const signals = {
  dischargePressure: { unit: "bar", noise: 0.012, alarmAt: 8, read: (s) => s.header.pressure },
  flow: { unit: "m³/h", noise: 0.12, read: (s) => s.header.flow },
  inflow: { unit: "m³/h", noise: 0.2, read: (s) => s.inflow.rate },
  wetWellLevel: { unit: "m", noise: 0.004, alarmAt: 3.1, read: (s) => s.well.level },
  valvePosition: { unit: "%", noise: 0.1, read: (s) => 100 * (1 - s.header.closed) },
  bearingTemperature: { unit: "°C", noise: 0.06, alarmAt: 75, read: (s, pump) => s.bearings[pump].temperature },
  roomTemperature: { unit: "°C", noise: 0.05, read: (s) => s.building.temperature },
  roomHumidity: { unit: "%", noise: 0.25, read: (s) => s.building.humidity },
  ambientTemperature: { unit: "°C", noise: 0.05, read: (s) => s.weather.temperature },
  ambientHumidity: { unit: "%", noise: 0.25, read: (s) => s.weather.humidity },
  illuminance: { unit: "lx", noise: 6, read: (s) => s.weather.illuminance },
  gas: { unit: "ppm", noise: 0.05, alarmAt: 10, read: (s) => s.building.gas },
  soundLevel: {
    unit: "dB",
    noise: 0.4,
    read: (s) => 10 * Math.log10(10 ** 4.4 + 10 ** 7.7 * (s.motors[0].speed + s.motors[1].speed)),
  },
  speed: { unit: "rpm", noise: 1.5, read: (s, pump) => s.motors[pump].speed * rated.rpm },
  torque: { unit: "Nm", noise: 0.15, read: torque },
  vibrationX: vibration("x"),
  vibrationY: vibration("y"),
  vibrationZ: vibration("z"),
  /** RMS velocity of the pump's casing. */
  vibrationVelocity: {
    unit: "mm/s",
    noise: 0.02,
    alarmAt: 4.5,
    read: (s, pump) => s.bearings[pump].y / 66,
    isMeasured: isTurning,
  },
  acceleration: { ...vibration("y"), unit: "g", noise: 0.001, alarmAt: 0.3, read: (s, p) => s.bearings[p].y / 1000 },
  frequency: { unit: "Hz", noise: 0.004, read: (s, pump) => s.motors[pump].frequency },
  currentA: current(0),
  currentB: current(1),
  currentC: current(2),
  realPower: { unit: "kW", noise: 0.02, read: (s, pump) => s.motors[pump].realPower },
  reactivePower: { unit: "kvar", noise: 0.02, read: (s, pump) => s.motors[pump].reactivePower },
  powerFactor: { unit: "", noise: 0.002, read: (s, pump) => s.motors[pump].powerFactor },
  voltage: { unit: "V", noise: 0.4, read: (s, pump) => rated.voltage + 2.5 * s.motors[pump].imbalance },
  /** Minutes in operation. */
  runTime: { unit: "min", noise: 0, isCounter: true, read: (s, pump) => Math.floor(s.motors[pump].runTime / 60) },
  starts: { unit: "", noise: 0, isCounter: true, read: (s, pump) => s.motors[pump].starts },
  pumpRunning: { unit: "", noise: 0, read: (s, pump) => on(s.motors[pump].isRunning) },
  isUnderCurrent: {
    unit: "",
    noise: 0,
    read: (s, pump) => on(isTurning(s, pump) && s.motors[pump].current < rated.underCurrent),
  },
  door: { unit: "", noise: 0, read: (s) => on(s.building.isOpen) },
  doorOpenings: { unit: "", noise: 0, isCounter: true, read: (s) => s.building.openings },
  floatSwitch: { unit: "", noise: 0, read: (s) => on(s.isFloatUp) },
  /** A second float above the first: lifted only by rising water. */
  highWater: { unit: "", noise: 0, read: (s) => on(s.well.level > 3.45) },
  /** One pulse per hundred litres. */
  flowPulses: { unit: "", noise: 0, isCounter: true, read: (s) => Math.floor(s.volume * 10) },
  linePressure: { unit: "bar", noise: 0.01, read: (s) => s.compressor.pressure },
  windingTemperature: { unit: "°C", noise: 0.08, read: (s) => s.compressor.winding },
  airFlow: { unit: "m³/h", noise: 0.3, read: (s) => s.compressor.demand },
  storeTemperature: { unit: "°C", noise: 0.03, read: (s, at) => s.stores[at].temperature },
  storeHumidity: { unit: "%", noise: 0.2, read: (s, at) => s.stores[at].humidity },
  evaporatorPressure: { unit: "bar", noise: 0.01, read: (s, at) => s.stores[at].evaporator },
  refrigerantPressure: { unit: "bar", noise: 0.01, read: (s, at) => s.stores[at].condenser },
  coolantFlow: { unit: "m³/h", noise: 0.03, read: (s, at) => s.stores[at].coolant },
} satisfies Record<string, Signal>;

export type SignalName = keyof typeof signals;
export const signalNames = Object.keys(signals) as [SignalName, ...SignalName[]];
export const signalOf = (name: SignalName): Signal => signals[name];
