import { SensorType, ValueForm } from "@telltale/contract/domains/channels";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FleetChannel } from "../fleet.ts";
import { random } from "../plant/random.ts";
import { signalOf } from "../plant/signals.ts";
import { instrumentFor } from "./transmitter.ts";

const channel = (settings: FleetChannel["settings"]): FleetChannel => ({ code: "AI1", name: "", settings });
const pressure = signalOf("dischargePressure");

test("a transmitter sends two decimals inside its range, whatever it measures", () => {
  const kinds: FleetChannel["settings"][] = [
    { zero: 0, span: 16, unit: "bar" },
    { zero: 0, span: 16, unit: "bar", valueForm: ValueForm.electrical, sensorType: SensorType.milliamps4to20 },
    { zero: 0, span: 16, unit: "bar", valueForm: ValueForm.electrical, sensorType: SensorType.volts10 },
  ];
  const ranges = [
    [0, 16],
    [4, 20],
    [0, 10],
  ];
  fc.assert(
    fc.property(fc.double({ min: -50, max: 50, noNaN: true }), fc.integer(), fc.nat(2), (truth, seed, kind) => {
      const value = instrumentFor(pressure, channel(kinds[kind] ?? {})).transmit(truth, random(seed));
      const [min = 0, max = 0] = ranges[kind] ?? [];
      expect(value).toBeGreaterThanOrEqual(min - 0.05 * (max - min));
      expect(value).toBeLessThanOrEqual(max + 0.05 * (max - min));
      expect(Math.round(value * 100) / 100).toBe(value);
    }),
  );
});

test("half of the span is 12 mA", () => {
  const settings = { zero: 0, span: 16, valueForm: ValueForm.electrical, sensorType: SensorType.milliamps4to20 };
  expect(instrumentFor(pressure, channel(settings)).transmit(8, random(1))).toBeCloseTo(12, 1);
});

test("a broken wire reads more than 5 % outside of the range", () => {
  const at = (settings: FleetChannel["settings"]) => instrumentFor(pressure, channel(settings)).broken;
  expect(at({ zero: 0, span: 16 })).toBeLessThan(-0.8);
  expect(at({ zero: 0, span: 16, valueForm: ValueForm.electrical, sensorType: SensorType.milliamps4to20 })).toBe(0);
});

test("the plant is sized to the channel's alarm limit and speaks the channel's unit", () => {
  const psi = instrumentFor(pressure, channel({ zero: 0, span: 300, unit: "psi", higherAlarm: 116 }));
  expect(psi.engineering(8)).toBeCloseTo(116);
  expect(psi.engineering(6.1)).toBeLessThan(90);
  expect(instrumentFor(signalOf("roomTemperature"), channel({ unit: "°F" })).engineering(20)).toBeCloseTo(68);
});
