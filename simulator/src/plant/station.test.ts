import fc from "fast-check";
import { expect, test } from "vitest";
import { random } from "./random.ts";
import { signalNames, signals } from "./signals.ts";
import { type Influence, noInfluence, type Station, stationAt, stepStation } from "./station.ts";
import { wetWell } from "./wet-well.ts";

const start = Date.UTC(2026, 2, 1);

/** Simulates a plant, sampled every ten seconds. */
const run = (seed: number, hours: number, influence: Influence = noInfluence, dt = 10): Station[] => {
  const draw = random(seed);
  const states: Station[] = [];
  let station = stationAt(start);
  for (let passed = 0; passed < hours * 3600; passed += dt) {
    station = stepStation(station, dt, influence, draw);
    states.push(station);
  }
  return states;
};

const anInfluence: fc.Arbitrary<Influence> = fc.record({
  valve: fc.constantFrom(0, 0.4, 1),
  isForced: fc.boolean(),
  storm: fc.constantFrom(0, 0.5, 1),
  isFloatLifted: fc.boolean(),
  isDoorHeldOpen: fc.boolean(),
  hasFan: fc.boolean(),
  wear: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
});

test("the same seed gives the same plant, another seed another plant", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(run(seed, 2).at(-1)).toEqual(run(seed, 2).at(-1));
      expect(run(seed, 2).at(-1)).not.toEqual(run(seed + 1, 2).at(-1));
    }),
    { numRuns: 10 },
  );
});

/** Invariants of a station; returns the names of the violated ones. */
const broken = ({ well, header, motors, ...station }: Station): string[] => {
  const promises: [string, boolean][] = [
    ["level", well.level >= wetWell.dry && well.level <= wetWell.weir],
    ["pressure", header.pressure > 5 && header.pressure < 9],
    ["flow", header.flow >= 0 && header.flow < 75],
    ["current", motors.every(({ current }) => current >= 0 && current < 60)],
    ["power factor", motors.every(({ powerFactor }) => powerFactor >= 0 && powerFactor <= 1)],
    ["humidity", station.building.humidity >= 0 && station.building.humidity <= 100],
    ["temperature", station.bearings.every(({ temperature }) => temperature > -20 && temperature < 110)],
    ["gas", station.building.gas >= 0 && station.building.gas < 10],
  ];
  const values = signalNames.filter(
    (name) => !Number.isFinite(signals[name].read({ well, header, motors, ...station }, 0)),
  );
  return [...promises.filter(([, isKept]) => !isKept).map(([name]) => name), ...values];
};

test("the plant stays physically plausible under every influence", { timeout: 30_000 }, () => {
  fc.assert(
    fc.property(fc.integer(), anInfluence, fc.constantFrom(1, 10, 20, 60, 120), (seed, influence, dt) => {
      expect(run(seed, dt / 5, influence, dt).flatMap(broken)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("pumps start at the upper level, stop at the lower one and alternate", () => {
  const states = run(3, 24);
  let before = states[0];
  const first = [0, 0];
  for (const station of states) {
    if (before && !before.duty.first && !before.duty.second && (station.duty.first || station.duty.second)) {
      expect(before.well.level).toBeGreaterThanOrEqual(wetWell.startLead);
      const lead = station.duty.first ? 0 : 1;
      first[lead] = (first[lead] ?? 0) + 1;
    }
    before = station;
  }
  expect(first[0]).toBeGreaterThan(10);
  expect(Math.abs((first[0] ?? 0) - (first[1] ?? 0))).toBeLessThanOrEqual(1);
});

test("the inflow equals the change of the well plus the pumped volume", () => {
  const states = run(5, 12);
  const inflow = states.reduce((sum, { inflow: { rate } }) => sum + rate / 360, 0);
  const [begin, end] = [stationAt(start), states.at(-1)];
  const pumped = (end?.volume ?? 0) - begin.volume;
  const stored = ((end?.well.level ?? 0) - begin.well.level) * wetWell.area;
  expect(pumped + stored).toBeCloseTo(inflow, 0);
});

test("a closed valve drives the pressure up to the pump's shut-off head and unloads the motor", () => {
  const open = run(1, 1, { ...noInfluence, isForced: true }).at(-1);
  const closed = run(1, 1, { ...noInfluence, isForced: true, valve: 1 }).at(-1);
  expect(open?.header.pressure).toBeLessThan(7);
  expect(closed?.header.pressure).toBeGreaterThan(8.5);
  const current = (station?: Station) => Math.max(...(station?.motors ?? []).map((motor) => motor.current));
  expect(current(closed)).toBeLessThan(17);
  expect(current(open)).toBeGreaterThan(18);
});

test("a worn bearing vibrates more and gets hotter", () => {
  const worn = run(1, 3, { ...noInfluence, isForced: true, wear: [1, 1] }).at(-1);
  const good = run(1, 3, { ...noInfluence, isForced: true }).at(-1);
  expect(worn?.bearings[0].y).toBeGreaterThan(300);
  expect(good?.bearings[0].y).toBeLessThan(150);
  expect(worn?.bearings[0].temperature).toBeGreaterThan((good?.bearings[0].temperature ?? 0) + 10);
});
