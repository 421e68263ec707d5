type Convert = (value: number) => number;

const times =
  (factor: number): Convert =>
  (value) =>
    value * factor;

/** Conversions from the plant's unit to others that an operator may have selected. */
const conversions: Record<string, Record<string, Convert>> = {
  bar: { psi: times(14.503_77), kPa: times(100), MPa: times(0.1), mbar: times(1000), Pa: times(100_000) },
  "°C": { "°F": (value) => value * 1.8 + 32, K: (value) => value + 273.15 },
  "m³/h": { "L/min": times(16.667), "L/s": times(0.277_78), gpm: times(4.402_87), "m³/min": times(1 / 60) },
  m: { cm: times(100), mm: times(1000), ft: times(3.280_84), in: times(39.370_1) },
  mg: { g: times(0.001) },
  g: { mg: times(1000), "m/s²": times(9.806_65) },
  "mm/s": { "in/s": times(0.039_37), "cm/s": times(0.1) },
  kW: { W: times(1000), hp: times(1.341) },
};

const plain = (unit: string): string => unit.replace("℃", "°C").replace("℉", "°F").replace("m3", "m³");

const same: Convert = (value) => value;

/** The conversion from the plant's unit to the channel's; an unknown unit leaves the value unchanged. */
export const conversion = (from: string, to: string): Convert => conversions[from]?.[plain(to)] ?? same;
