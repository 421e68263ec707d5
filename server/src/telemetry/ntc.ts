/** An NTC thermistor: its resistance at 25 degC in ohms, and its B constant in kelvin. */
export interface Ntc {
  r25: number;
  b: number;
}

/** Thermistors that a channel's `NTC Type` may name. Values from the usual B25/85 ratings of industrial probes. */
export const ntcTypes: Record<string, Ntc> = {
  "10K B3435": { r25: 10_000, b: 3435 },
  "10K B3950": { r25: 10_000, b: 3950 },
  "10K B3977": { r25: 10_000, b: 3977 },
  "5K B3470": { r25: 5_000, b: 3470 },
  "50K B3950": { r25: 50_000, b: 3950 },
  "100K B3950": { r25: 100_000, b: 3950 },
};

export const defaultNtc = "10K B3950";

const kelvin = 273.15;

/** Coldest and hottest temperature that a probe is read at, degC. */
export const ntcRange = { min: -50, max: 150 } as const;

/** Resistance in ohms to temperature in degC by the B equation; NaN for a resistance that is not above zero. */
export const ntcTemperature = ({ r25, b }: Ntc, ohms: number): number =>
  ohms > 0 ? 1 / (1 / (25 + kelvin) + Math.log(ohms / r25) / b) - kelvin : Number.NaN;
