import { approach } from "./random.ts";
import { hourOf } from "./weather.ts";

/** A cold store with its refrigeration, kept between two temperatures by a thermostat. */
export interface ColdStore {
  /** Degrees Celsius. */
  temperature: number;
  isCooling: boolean;
  /** Relative humidity, percent. */
  humidity: number;
  /** Gauge pressures of the refrigerant at the evaporator and at the condenser, bar. */
  evaporator: number;
  condenser: number;
  /** Coolant through the condenser, m³/h. */
  coolant: number;
}

/** How the two stores differ: thermostat in degrees Celsius, hour of the first defrost, coolant in m³/h. */
const builds = [
  { warm: 3.1, cold: 1.9, defrost: 1.2, coolant: 7.4 },
  { warm: 4.1, cold: 2.7, defrost: 3.9, coolant: 5.8 },
] as const;

/** Every six hours the evaporator is defrosted for this share of an hour. */
const defrosting = 0.3;

const isDefrosting = (ts: number, first: number): boolean => (hourOf(ts) - first + 24) % 6 < defrosting;

/** Goods traffic on working mornings and afternoons lets warm air in. */
const traffic = (ts: number): number => {
  const hour = hourOf(ts);
  return (hour > 5 && hour < 10) || (hour > 14 && hour < 17) ? 1 : 0.25;
};

/** One step of a store at `ambient` degrees outside. */
export const stepColdStore = (
  state: ColdStore,
  dt: number,
  ts: number,
  { ambient, at }: { ambient: number; at: 0 | 1 },
): ColdStore => {
  const { warm, cold, defrost, coolant } = builds[at];
  const rests = isDefrosting(ts, defrost);
  const wants = state.isCooling ? state.temperature > cold : state.temperature >= warm;
  const isCooling = wants && !rests;
  const leaking = approach(state.temperature, ambient + 2, dt, ((rests ? 6 : 22) * 3600) / (0.7 + traffic(ts)));
  return {
    isCooling,
    temperature: isCooling ? approach(leaking, -7, dt, 4 * 3600) : leaking,
    humidity: approach(state.humidity, isCooling ? 82 : 91, dt, 1800),
    evaporator: approach(state.evaporator, isCooling ? 2.6 + 0.05 * state.temperature : 4.2, dt, 90),
    condenser: approach(state.condenser, isCooling ? 5.9 + 0.055 * ambient : 4.9 + 0.045 * ambient, dt, 120),
    coolant: approach(state.coolant, isCooling ? coolant : 0.6, dt, 20),
  };
};

export const cooledStore: ColdStore = {
  temperature: 3,
  isCooling: false,
  humidity: 88,
  evaporator: 4.1,
  condenser: 5.3,
  coolant: 0.6,
};
