import { expect, test } from "vitest";
import { demonstrationEpisodes } from "./plant/episodes.ts";
import { createSimulation } from "./simulation.ts";
import { aFleet } from "./test-fleet.ts";

const start = Date.UTC(2026, 2, 1, 9, 41);

interface Reading {
  device: string;
  code: string;
  second: number;
  value: number;
}

const watch = (seed: number, seconds: number, isCalm = false): Reading[] => {
  const simulation = createSimulation(aFleet(), { seed, from: start });
  if (!isCalm) simulation.plan(demonstrationEpisodes(seed, start));
  const readings: Reading[] = [];
  for (let second = 1; second <= seconds; second++) {
    simulation.advance(start + second * 1000, ({ spec }, moment) => {
      for (const [code, value] of Object.entries<number>(JSON.parse(moment).values)) {
        readings.push({ device: spec.deviceName, code, second, value });
      }
    });
  }
  return readings;
};

test("in the first minute the pressure exceeds its limit and a float switch lifts; both end within five", () => {
  for (const seed of [1, 2, 3]) {
    const readings = watch(seed, 300);
    const pressure = readings.filter(({ device, code }) => device === "Pump house" && code === "AI1");
    expect(pressure.find(({ value }) => value > 8)?.second).toBeLessThanOrEqual(20);
    expect(pressure.at(-1)?.value).toBeLessThan(7.8);
    const float = readings.filter(({ device, code }) => device === "Pump house" && code === "DI1");
    expect(float.find(({ value }) => value === 1)?.second).toBeLessThanOrEqual(60);
    expect(float.at(-1)?.value).toBe(0);
  }
});

test("a calm plant stays within its limits", () => {
  const readings = watch(1, 1200, true);
  expect(readings.filter(({ code, value, device }) => device === "Pump house" && code === "AI1" && value >= 8)).toEqual(
    [],
  );
  expect(readings.filter(({ code, value }) => /^V[XYZ]$/.test(code) && value >= 550)).toEqual([]);
});

test("the registers of the motor controller are consistent with the pump and with each other", () => {
  const simulation = createSimulation(aFleet(), { seed: 4, from: start });
  const now: Record<string, number> = {};
  let checked = 0;
  for (let minute = 1; minute <= 240; minute++) {
    simulation.advance(start + minute * 60_000, ({ spec }, moment) => {
      if (spec.deviceName === "Pump 1 drive") Object.assign(now, JSON.parse(moment).values);
    });
    const motor = simulation.station().motors[0];
    if (motor.isRunning && motor.speed > 0.999 && now["Relay Status"] === 1 && now["I A"]) {
      checked++;
      const apparent = (Math.sqrt(3) * 400 * (now["I A"] ?? 0)) / 1000;
      expect(now["Real Power"]).toBeCloseTo(apparent * (now["Power Factor"] ?? 0), -0.5);
    } else if (!motor.isRunning) expect(now["Relay Status"]).toBe(0);
  }
  expect(checked).toBeGreaterThan(20);
});
