import { approach, type Random } from "./random.ts";
import { hourOf, type Weather } from "./weather.ts";

/** The room with the pumps and the control cabinet. */
export interface Building {
  /** Degrees Celsius. */
  temperature: number;
  /** Relative humidity, percent. */
  humidity: number;
  /** Epoch milliseconds until which the door is held open. */
  openUntil: number;
  isOpen: boolean;
  /** Number of door openings since counting began. */
  openings: number;
  /** Hydrogen sulphide above the water, ppm. */
  gas: number;
}

/** Inputs of the room model. `heat` is the motors' loss in kW, `inflow` in m³/h. */
export interface RoomInput {
  weather: Weather;
  heat: number;
  inflow: number;
  hasFan: boolean;
  /** The door is held open. */
  isHeldOpen: boolean;
}

/** Visits per hour: during working hours. */
const visitsAnHour = (ts: number): number => {
  const hour = hourOf(ts);
  return hour > 7 && hour < 16 ? 0.25 : 0.01;
};

/** One step of the room: walls and floor make it lag the weather by hours; door and fan let outside air in. */
export const stepBuilding = (state: Building, dt: number, ts: number, input: RoomInput, draw: Random): Building => {
  const comes = draw() < (visitsAnHour(ts) * dt) / 3600;
  const openUntil = comes && ts > state.openUntil ? ts + (120 + 1500 * draw() * draw()) * 1000 : state.openUntil;
  const isOpen = input.isHeldOpen || ts < openUntil;
  const exchange = isOpen || input.hasFan ? 1800 : 4 * 3600;
  const warmth = 0.55 * input.weather.temperature + 8 + (input.hasFan ? 1.5 : 4.5) * input.heat;
  const dryness = input.weather.humidity - 1.6 * (state.temperature - input.weather.temperature);
  // Still water gives off more gas than moving water.
  const gas = 1.2 + 5 * Math.exp(-input.inflow / 14) * (isOpen || input.hasFan ? 0.4 : 1);
  return {
    temperature: approach(state.temperature, warmth, dt, exchange),
    humidity: Math.min(98, Math.max(12, approach(state.humidity, dryness, dt, exchange))),
    openUntil,
    isOpen,
    openings: state.openings + (isOpen && !state.isOpen ? 1 : 0),
    gas: approach(state.gas, gas, dt, 1500),
  };
};

export const closedBuilding: Building = {
  temperature: 17,
  humidity: 62,
  openUntil: 0,
  isOpen: false,
  openings: 0,
  gas: 2,
};
