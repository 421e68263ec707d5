import type { SimulatedClock } from "./clock.ts";
import type { Connection } from "./device/connection.ts";
import type { Device } from "./device/device.ts";
import { stepBattery } from "./plant/battery.ts";
import type { Simulation } from "./simulation.ts";

export interface LiveNeeds {
  simulation: Simulation;
  clock: SimulatedClock;
  connections: readonly Connection[];
  connectionOf: (deviceSnId: string) => Connection;
  /** Seconds of plant time between two measurements: 1 in real time. */
  step: number;
}

/** Devices measure on the full second of their clock; checking the clock four times per second keeps the delay short. */
const second = 1000;
const beat = 250;
/** Interval of the client attributes in plant time, milliseconds. */
const attributesEvery = 300_000;
/** After a longer suspend of the machine the devices have no measurements for that time. */
const longestGap = 3_600_000;

const stepBatteries = (devices: readonly Device[], seconds: number): void => {
  for (const device of devices) {
    if (device.isOnBattery) device.battery = stepBattery(device.battery, seconds, device.battery.isFailing);
  }
};

/** Runs the fleet live until it is stopped. */
export const createLive = ({ simulation, clock, connections, connectionOf, step }: LiveNeeds) => {
  let timer: NodeJS.Timeout | undefined;
  let attributesAt = simulation.now();
  const send = (device: Device, moment: string, readings: number): void =>
    connectionOf(device.spec.deviceSnId).outbox.add(device.spec.deviceSnId, moment, readings);
  const tick = (): void => {
    const now = Math.floor(clock.now() / second) * second;
    if (now <= simulation.now()) return;
    const passed = now - simulation.now();
    if (passed > longestGap) simulation.advance(now - longestGap, () => undefined, 60);
    simulation.advance(now, send, step);
    if (now - attributesAt >= attributesEvery) {
      stepBatteries(simulation.devices, (now - attributesAt) / 1000);
      attributesAt = now;
      for (const connection of connections) connection.sendAttributes();
    }
    for (const { outbox } of connections) outbox.flush();
  };
  return {
    start: (): void => {
      tick();
      timer = setInterval(tick, beat);
    },
    stop: (): void => clearInterval(timer),
  };
};
