import { type Bearing, coldBearing, stepBearing } from "./bearing.ts";
import { type Building, closedBuilding, stepBuilding } from "./building.ts";
import { type ColdStore, cooledStore, stepColdStore } from "./cold-store.ts";
import { type Compressor, chargedCompressor, stepCompressor } from "./compressor.ts";
import { type Header, pipe, stepHeader } from "./hydraulics.ts";
import { type Inflow, stepInflow } from "./inflow.ts";
import { type Motor, restingMotor, stepMotor } from "./motor.ts";
import type { Random } from "./random.ts";
import { type Weather, weatherAt } from "./weather.ts";
import { type Duty, stepDuty, stepWetWell, type WetWell, wetWell } from "./wet-well.ts";

/** A pump station with all its parts. */
export interface Station {
  /** Epoch milliseconds. */
  ts: number;
  weather: Weather;
  inflow: Inflow;
  well: WetWell;
  duty: Duty;
  header: Header;
  motors: readonly [Motor, Motor];
  bearings: readonly [Bearing, Bearing];
  building: Building;
  compressor: Compressor;
  stores: readonly [ColdStore, ColdStore];
  isFloatUp: boolean;
  /** Cubic metres pumped. */
  volume: number;
}

/** External influences on the station: faults, weather, people. */
export interface Influence {
  /** Closed share of the discharge valve, 0 to 1. */
  valve: number;
  /** The leading pump is run manually. */
  isForced: boolean;
  /** 0 none to 1: more rain than both pumps can handle. */
  storm: number;
  /** Debris lifts the float switch. */
  isFloatLifted: boolean;
  isDoorHeldOpen: boolean;
  hasFan: boolean;
  /** Wear of the two drive-end bearings, 0 to 1. */
  wear: readonly [number, number];
}

/** Normal operation. */
export const noInfluence: Influence = {
  valve: 0,
  isForced: false,
  storm: 0,
  isFloatLifted: false,
  isDoorHeldOpen: false,
  hasFan: false,
  wear: [0.05, 0.12],
};

/** One step of `dt` seconds. Only the drawn numbers are random, so a seed reproduces the same plant. */
export const stepStation = (state: Station, dt: number, influence: Influence, draw: Random): Station => {
  const ts = state.ts + dt * 1000;
  const weather = weatherAt(ts);
  const inflow = stepInflow(state.inflow, dt, ts, influence.storm, draw);
  const duty = stepDuty(state.duty, state.well.level, influence.isForced);
  const pumps = (duty.first ? 1 : 0) + (duty.second ? 1 : 0);
  const speed = Math.max(state.motors[0].speed, state.motors[1].speed);
  const header = stepHeader(state.header, dt, pumps, speed, influence.valve);
  const share = pumps === 0 ? 0 : header.flow / pumps / pipe.duty;
  const first = stepMotor(state.motors[0], dt, duty.first, share, draw);
  const second = stepMotor(state.motors[1], dt, duty.second, share, draw);
  const well = stepWetWell(state.well, dt, inflow.rate, header.flow);
  const heat = 0.1 * (first.realPower + second.realPower);
  const room = { weather, heat, inflow: inflow.rate, hasFan: influence.hasFan, isHeldOpen: influence.isDoorHeldOpen };
  const building = stepBuilding(state.building, dt, ts, room, draw);
  const ambient = building.temperature;
  const store = (at: 0 | 1) => stepColdStore(state.stores[at], dt, ts, { ambient: weather.temperature, at });
  const bearing = (at: 0 | 1, motor: Motor): Bearing => {
    const input = { speed: motor.speed, load: motor.load, closed: header.closed, wear: influence.wear[at], ambient };
    return stepBearing(state.bearings[at], dt, input, draw);
  };
  return {
    ts,
    weather,
    inflow,
    well,
    duty,
    header,
    motors: [first, second],
    bearings: [bearing(0, first), bearing(1, second)],
    building,
    compressor: stepCompressor(state.compressor, dt, ts, ambient),
    stores: [store(0), store(1)],
    // The float drops slightly below the level that lifted it.
    isFloatUp: influence.isFloatLifted || well.level > wetWell.float - (state.isFloatUp ? 0.15 : 0),
    volume: state.volume + (header.flow * dt) / 3600,
  };
};

/** When the station's counters started at zero, so that they show plausible values. */
const commissioned = Date.UTC(2025, 2, 3);

/** The station at a time in epoch milliseconds, before its first step. Its counters have the values of average operation. */
export const stationAt = (ts: number): Station => {
  const seconds = Math.max(0, (ts - commissioned) / 1000);
  const motor = (share: number): Motor => ({
    ...restingMotor,
    runTime: Math.floor(seconds * share),
    starts: Math.floor((seconds * share) / 1000),
  });
  return {
    ts,
    weather: weatherAt(ts),
    inflow: { mood: 0, rate: 20 },
    well: { level: 1.5 },
    duty: { first: false, second: false, lead: 0 },
    header: { flow: 0, pressure: pipe.still * 0.0981, closed: 0 },
    motors: [motor(0.26), motor(0.25)],
    bearings: [coldBearing, coldBearing],
    building: closedBuilding,
    compressor: chargedCompressor,
    stores: [cooledStore, cooledStore],
    isFloatUp: false,
    volume: Math.floor((seconds / 3600) * 21),
  };
};
