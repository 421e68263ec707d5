import { Analog } from "../domains/channels.ts";

/** `Sensor Type` of a digital input. (spec 2 §9) */
export const DigitalSensor = { dryContact: 1, npn: 2 } as const;
export type DigitalSensor = (typeof DigitalSensor)[keyof typeof DigitalSensor];
export const digitalSensorLabels: Record<DigitalSensor, string> = { 1: "Dry Contact", 2: "NPN" };

/** `Counting Edge` of a counting input. (spec 2 §9) */
export const CountingEdge = { rising: 1, down: 2, both: 3 } as const;
export type CountingEdge = (typeof CountingEdge)[keyof typeof CountingEdge];
export const countingEdgeLabels: Record<CountingEdge, string> = { 1: "Rising", 2: "Down", 3: "Both" };

/** `User Denfined On`: the level of a contact that means ON. */
export const onLevelLabels: Record<number, string> = { 0: "ON=0", 1: "ON=1" };

/** An NTC thermistor: resistance at 25 degC in ohms, and B constant in kelvin. */
export interface Ntc {
  r25: number;
  b: number;
}

/** Values of `NTC Type`, from the usual B25/85 ratings of industrial probes. */
export const ntcTypes: Readonly<Record<string, Ntc>> = {
  "10K B3435": { r25: 10_000, b: 3435 },
  "10K B3950": { r25: 10_000, b: 3950 },
  "10K B3977": { r25: 10_000, b: 3977 },
  "5K B3470": { r25: 5_000, b: 3470 },
  "50K B3950": { r25: 50_000, b: 3950 },
  "100K B3950": { r25: 100_000, b: 3950 },
};

export const defaultNtc = "10K B3950";

/** Temperature range of a thermistor in degC: its ZERO and SPAN. */
export const ntcRange = { min: -50, max: 150 } as const;

/** Unit of thermistor readings. */
export const ntcUnit = "°C";

/** Quantities an analog input can be configured to measure. The others belong to specific inputs and units. */
export const measuredAnalogs: readonly Analog[] = Object.values(Analog).filter((analog) => analog <= Analog.other);

/** `UNIT`: the allowed units of each quantity. The quantity Other also accepts free text. */
export const analogUnits: Readonly<Record<Analog, readonly string[]>> = {
  [Analog.pressure]: ["bar", "mbar", "Pa", "kPa", "MPa", "psi", "mmHg", "inHg", "mH₂O"],
  [Analog.temperature]: ["°C", "°F", "K"],
  [Analog.humidity]: ["%", "g/m³"],
  [Analog.flow]: ["m³/h", "m³/s", "l/s", "l/min", "l/h", "gal/min", "Nm³/h", "kg/h"],
  [Analog.frequency]: ["Hz", "kHz", "MHz"],
  [Analog.noise]: ["dB", "dB(A)"],
  [Analog.torque]: ["Nm", "kNm", "lbf·ft"],
  [Analog.displacement]: ["m", "cm", "mm", "µm", "in", "ft"],
  [Analog.speed]: ["rpm", "m/s", "m/min", "km/h", "ft/min"],
  [Analog.vibration]: ["mm/s", "µm", "mg", "g", "in/s"],
  [Analog.illuminance]: ["lx", "klx"],
  [Analog.acceleration]: ["m/s²", "g", "mg"],
  [Analog.gasConcentration]: ["ppm", "ppb", "%", "% LEL", "mg/m³"],
  [Analog.other]: ["%", "V", "mV", "A", "mA", "W", "kW", "kWh", "kvar", "Ω", "pH", "µS/cm", "kg", "t", "l", "m³"],
  [Analog.digitalInput]: [""],
  [Analog.digitalOutput]: [""],
  [Analog.countingInput]: [""],
  [Analog.vibrationMg]: ["mg"],
};

/** Maximum length of a free-text unit, in characters. */
export const longestUnit = 12;

/** Default alarm level. (spec 2 §9) */
export const defaultAlarmData = 1;
export const defaultDebounce = 2;
/** Maximum Debounce(ms), milliseconds. */
export const longestDebounce = 60_000;
/** Maximum report interval and STATIC DATA in seconds: half a day. (spec 2 §9) */
export const longestReportInterval = 43_200;
