import type { Ntc } from "@telltale/contract/channel-options";

const kelvin = 273.15;

/** Resistance in ohms to temperature in degC by the B equation; NaN for a resistance that is not above zero. */
export const ntcTemperature = ({ r25, b }: Ntc, ohms: number): number =>
  ohms > 0 ? 1 / (1 / (25 + kelvin) + Math.log(ohms / r25) / b) - kelvin : Number.NaN;
